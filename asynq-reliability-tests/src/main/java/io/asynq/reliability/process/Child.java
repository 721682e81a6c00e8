package io.asynq.reliability.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A process that ends with this program: its input is a pipe that it watches, and a
 * shutdown hook kills it. What it says goes to a file.
 */
final class Child implements AutoCloseable {

	private static final String READY = "ready";

	private final String name;

	private final Path log;

	private final Process process;

	private final Thread hook;

	private final CompletableFuture<Void> ready = new CompletableFuture<>();

	private Child(String name, Path log, Process process) {
		this.name = name;
		this.log = log;
		this.process = process;
		this.hook = new Thread(process::destroyForcibly);
		Runtime.getRuntime().addShutdownHook(this.hook);
		Thread reader = new Thread(this::read, "output-of-" + name);
		reader.setDaemon(true);
		reader.start();
	}

	static Child start(String name, List<String> command, Path log) {
		try {
			Files.createDirectories(log.toAbsolutePath().getParent());
			return new Child(name, log,
					new ProcessBuilder(command).redirectErrorStream(true).redirectInput(Redirect.PIPE).start());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(name + " cannot be started with " + command, ex);
		}
	}

	String name() {
		return this.name;
	}

	long pid() {
		return this.process.pid();
	}

	boolean isAlive() {
		return this.process.isAlive();
	}

	/**
	 * Returns whether it has said that it is ready.
	 * @return whether it has
	 */
	boolean isReady() {
		return this.ready.isDone() && !this.ready.isCompletedExceptionally();
	}

	/**
	 * Waits until it says that it is ready.
	 * @param patience how long at most
	 * @throws InterruptedException when this thread is to give up
	 */
	void awaitReady(Duration patience) throws InterruptedException {
		try {
			this.ready.get(patience.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (ExecutionException | TimeoutException ex) {
			throw new IllegalStateException(this.name + " was not ready within " + patience + "; see " + this.log, ex);
		}
	}

	/**
	 * Ends it with SIGKILL and waits until it is gone.
	 */
	void kill() {
		this.process.destroyForcibly();
		this.process.onExit().join();
	}

	void askToEnd() {
		// Process itself would close the pipes too, which means something else here
		this.process.toHandle().destroy();
	}

	/**
	 * Asks it to end with SIGTERM and waits.
	 * @param patience how long at most, after which it is killed
	 * @return whether it ended by itself
	 * @throws InterruptedException when this thread is to give up
	 */
	boolean terminate(Duration patience) throws InterruptedException {
		askToEnd();
		boolean ended = this.process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
		if (!ended) {
			kill();
		}
		return ended;
	}

	void signal(String signal) {
		try {
			int code = new ProcessBuilder("kill", "-" + signal, String.valueOf(pid())).inheritIO().start().waitFor();
			if (code != 0) {
				throw new IllegalStateException("kill -" + signal + " of " + this.name + " gave " + code);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted", ex);
		}
	}

	@Override
	public void close() {
		kill();
		Runtime.getRuntime().removeShutdownHook(this.hook);
	}

	private void read() {
		try (BufferedReader lines = this.process.inputReader(StandardCharsets.UTF_8);
				Writer out = Files.newBufferedWriter(this.log, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
			for (String line = lines.readLine(); line != null; line = lines.readLine()) {
				if (READY.equals(line)) {
					this.ready.complete(null);
				}
				out.write(line);
				out.write('\n');
				out.flush();
			}
		}
		catch (IOException ex) {
			this.ready.completeExceptionally(ex);
		}
		this.ready.completeExceptionally(new IllegalStateException(this.name + " has ended"));
	}

}
