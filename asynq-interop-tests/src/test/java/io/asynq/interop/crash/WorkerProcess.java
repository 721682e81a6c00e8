package io.asynq.interop.crash;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A {@link LedgerApplication} in a JVM of its own, of the same kind as this one.
 */
final class WorkerProcess implements AutoCloseable {

	static final List<String> SHORT_LEASES = List.of("--asynq.server.lease-duration=3s",
			"--asynq.server.heartbeat-interval=500ms", "--asynq.server.recover-interval=500ms",
			"--asynq.server.recover-grace=0s");

	private static final long END_SECONDS = 20;

	private final Process process;

	private WorkerProcess(Process process) {
		this.process = process;
	}

	/**
	 * Starts a worker with short leases.
	 * @param redis the Redis
	 * @param ledger the ledger
	 * @param log where its output goes
	 * @return the worker, which may not be working yet
	 */
	static WorkerProcess start(URI redis, Ledger ledger, Path log) {
		return start(redis, ledger, log, SHORT_LEASES);
	}

	/**
	 * Starts a worker.
	 * @param redis the Redis
	 * @param ledger the ledger
	 * @param log where its output goes
	 * @param more further arguments
	 * @return the worker, which may not be working yet
	 */
	static WorkerProcess start(URI redis, Ledger ledger, Path log, List<String> more) {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path")));
		command.add(LedgerApplication.class.getName());
		command.addAll(List.of("--spring.data.redis.url=" + redis, "--ledger=" + ledger.file(),
				"--spring.main.keep-alive=true", "--asynq.server.queues.crash=1", "--asynq.server.concurrency=8",
				"--asynq.server.delayed-task-check-interval=500ms"));
		command.addAll(more);
		try {
			return new WorkerProcess(new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(Redirect.to(log.toFile()))
				.start());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	boolean isAlive() {
		return this.process.isAlive();
	}

	/**
	 * Ends the worker with SIGKILL: it learns nothing of it.
	 * @return its exit code
	 */
	int kill() {
		this.process.destroyForcibly();
		return awaitEnd();
	}

	/**
	 * Ends the worker with SIGTERM, as an orderly shutdown.
	 * @return its exit code
	 */
	int terminate() {
		this.process.destroy();
		return awaitEnd();
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

	private int awaitEnd() {
		try {
			if (!this.process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
				throw new AssertionError("The worker did not end within " + END_SECONDS + " s");
			}
			return this.process.exitValue();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while a worker ended", ex);
		}
	}

}
