package io.asynq.interop.crash;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.asynq.test.process.Child;
import io.asynq.test.process.JavaProgram;

/**
 * A {@link LedgerApplication} in a separate JVM of the same version.
 */
final class WorkerProcess implements AutoCloseable {

	static final List<String> SHORT_LEASES = List.of("--asynq.server.lease-duration=3s",
			"--asynq.server.heartbeat-interval=500ms", "--asynq.server.recover-interval=500ms",
			"--asynq.server.recover-grace=0s");

	private static final Duration END = Duration.ofSeconds(20);

	private final Child process;

	private WorkerProcess(Child process) {
		this.process = process;
	}

	/**
	 * Starts a worker with short leases, which may not be working yet.
	 */
	static WorkerProcess start(URI redis, Ledger ledger, Path log) {
		return start(redis, ledger, log, SHORT_LEASES);
	}

	/**
	 * Starts a worker, which may not be working yet.
	 */
	static WorkerProcess start(URI redis, Ledger ledger, Path log, List<String> more) {
		List<String> arguments = new ArrayList<>(List.of("--spring.data.redis.url=" + redis,
				"--ledger=" + ledger.file(), "--spring.main.keep-alive=true", "--asynq.server.queues.crash=1",
				"--asynq.server.concurrency=8", "--asynq.server.delayed-task-check-interval=500ms"));
		arguments.addAll(more);
		return new WorkerProcess(
				Child.start("worker", JavaProgram.command(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"),
						LedgerApplication.class.getName(), arguments), log));
	}

	boolean isAlive() {
		return this.process.isAlive();
	}

	/**
	 * Kills the worker with SIGKILL and returns its exit code.
	 */
	int kill() {
		this.process.kill();
		return this.process.exitCode();
	}

	/**
	 * Stops the worker with SIGTERM and returns its exit code.
	 */
	int terminate() throws InterruptedException {
		if (!this.process.terminate(END)) {
			throw new AssertionError("The worker did not end within " + END);
		}
		return this.process.exitCode();
	}

	@Override
	public void close() {
		this.process.close();
	}

}
