package io.asynq.test.process;

import java.io.BufferedReader;
import java.io.BufferedWriter;
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
 * A process that does not outlive this program: it watches its input, which is a pipe,
 * and a shutdown hook kills it.
 */
public final class Child implements AutoCloseable {

	private static final String READY = "ready";

	private final String name;

	private final Path log;

	private final Process process;

	private final Listener listener;

	private final BufferedWriter input;

	private final Thread hook;

	private final Thread reader;

	private final CompletableFuture<Void> ready = new CompletableFuture<>();

	private Child(String name, Path log, Process process, Listener listener) {
		this.name = name;
		this.log = log;
		this.process = process;
		this.listener = listener;
		this.input = process.outputWriter(StandardCharsets.UTF_8);
		this.hook = new Thread(process::destroyForcibly);
		Runtime.getRuntime().addShutdownHook(this.hook);
		this.reader = new Thread(this::read, "output-of-" + name);
		this.reader.setDaemon(true);
		this.reader.start();
	}

	/**
	 * @param log the file that its output is appended to
	 */
	public static Child start(String name, List<String> command, Path log) {
		return start(name, new ProcessBuilder(command).redirectErrorStream(true), log, new Log(log));
	}

	/**
	 * @param log the file that its errors are appended to
	 * @param listener gets its output
	 */
	public static Child start(String name, List<String> command, Path log, Listener listener) {
		return start(name, new ProcessBuilder(command).redirectError(Redirect.appendTo(log.toFile())), log, listener);
	}

	private static Child start(String name, ProcessBuilder builder, Path log, Listener listener) {
		try {
			Files.createDirectories(log.toAbsolutePath().getParent());
			return new Child(name, log, builder.start(), listener);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(name + " cannot be started with " + builder.command(), ex);
		}
	}

	public String name() {
		return this.name;
	}

	public long pid() {
		return this.process.pid();
	}

	public boolean isAlive() {
		return this.process.isAlive();
	}

	/**
	 * @throws IllegalThreadStateException if it has not ended
	 */
	public int exitCode() {
		return this.process.exitValue();
	}

	public void send(String line) {
		synchronized (this.input) {
			try {
				this.input.write(line);
				this.input.write('\n');
				this.input.flush();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(this.name + " does not take '" + line + "'; see " + this.log, ex);
			}
		}
	}

	public boolean isReady() {
		return this.ready.isDone() && !this.ready.isCompletedExceptionally();
	}

	public void awaitReady(Duration patience) throws InterruptedException {
		try {
			this.ready.get(patience.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (ExecutionException | TimeoutException ex) {
			throw new IllegalStateException(this.name + " was not ready within " + patience + "; see " + this.log, ex);
		}
	}

	/** SIGKILL. */
	public void kill() {
		this.process.destroyForcibly();
		this.process.onExit().join();
	}

	/** SIGTERM. */
	public void askToEnd() {
		// Process.destroy would also close the pipes, which has another meaning here
		this.process.toHandle().destroy();
	}

	/** Sends SIGTERM and kills it if it is late; returns whether it ended by itself. */
	public boolean terminate(Duration patience) throws InterruptedException {
		askToEnd();
		return awaitEnd(patience);
	}

	/**
	 * Closes its input and kills it if it is late; returns whether it ended by itself.
	 */
	public boolean finish(Duration patience) {
		try {
			endInput();
			return awaitEnd(patience);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
		finally {
			close();
		}
	}

	/**
	 * @param signal such as {@code STOP}
	 */
	public void signal(String signal) {
		Command.run("kill", "-" + signal, String.valueOf(pid()));
	}

	@Override
	public void close() {
		kill();
		Runtime.getRuntime().removeShutdownHook(this.hook);
	}

	private void endInput() {
		synchronized (this.input) {
			try {
				this.input.close();
			}
			catch (IOException ex) {
				// It has ended without reading everything
			}
		}
	}

	private boolean awaitEnd(Duration patience) throws InterruptedException {
		boolean ended = this.process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
		if (!ended) {
			kill();
		}
		// Its whole output is processed before this returns
		this.reader.join(patience.toMillis());
		return ended;
	}

	private void read() {
		try (BufferedReader lines = this.process.inputReader(StandardCharsets.UTF_8)) {
			for (String line = lines.readLine(); line != null; line = lines.readLine()) {
				if (READY.equals(line)) {
					this.ready.complete(null);
				}
				this.listener.said(line);
			}
		}
		catch (IOException ex) {
			this.ready.completeExceptionally(ex);
		}
		this.ready.completeExceptionally(new IllegalStateException(this.name + " has ended"));
		this.listener.ended();
	}

	/** Called on one thread. */
	public interface Listener {

		void said(String line);

		/** Called after the last line. */
		void ended();

	}

	private static final class Log implements Listener {

		private final Writer out;

		Log(Path file) {
			try {
				Files.createDirectories(file.toAbsolutePath().getParent());
				this.out = Files.newBufferedWriter(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		@Override
		public void said(String line) {
			try {
				this.out.write(line);
				this.out.write('\n');
				this.out.flush();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		@Override
		public void ended() {
			try {
				this.out.close();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
