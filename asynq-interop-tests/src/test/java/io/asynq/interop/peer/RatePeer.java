package io.asynq.interop.peer;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Asynq's {@code x/rate} semaphore in the hands of a real Go server, in a process of its
 * own, which ends with its standard input.
 */
public final class RatePeer implements AutoCloseable {

	private final Process process;

	private final BufferedWriter input;

	private final BufferedReader output;

	/**
	 * Starts the program.
	 * @param redis the Redis it uses
	 * @param scope the semaphore's scope
	 * @param tokens how many tokens it has
	 */
	public RatePeer(URI redis, String scope, int tokens) {
		try {
			this.process = new ProcessBuilder(Executable.PATH.toString(), "-addr",
					redis.getHost() + ":" + redis.getPort(), "-scope", scope, "-tokens", Integer.toString(tokens))
				.redirectError(ProcessBuilder.Redirect.appendTo(GoBinary.target().resolve("ratepeer.log").toFile()))
				.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.input = new BufferedWriter(new OutputStreamWriter(this.process.getOutputStream(), StandardCharsets.UTF_8));
		this.output = new BufferedReader(new InputStreamReader(this.process.getInputStream(), StandardCharsets.UTF_8));
	}

	/**
	 * Has a task ask for a token.
	 * @param taskId the task
	 * @return whether it has one
	 */
	public boolean acquire(String taskId) {
		return Boolean.parseBoolean(ask("acquire " + taskId));
	}

	/**
	 * Has a task that holds a token give it back.
	 * @param taskId the task
	 * @return what Go says, {@code released} if it could
	 */
	public String release(String taskId) {
		return ask("release " + taskId);
	}

	@Override
	public void close() {
		try {
			this.input.close();
			if (!this.process.waitFor(10, TimeUnit.SECONDS)) {
				this.process.destroyForcibly();
			}
		}
		catch (IOException ex) {
			this.process.destroyForcibly();
		}
		catch (InterruptedException ex) {
			this.process.destroyForcibly();
			Thread.currentThread().interrupt();
		}
	}

	private String ask(String command) {
		try {
			this.input.write(command);
			this.input.newLine();
			this.input.flush();
			return String.valueOf(this.output.readLine());
		}
		catch (IOException ex) {
			throw new UncheckedIOException("No answer to: " + command, ex);
		}
	}

	private static final class Executable {

		static final Path PATH = GoBinary.build("go-rate", "ratepeer");

	}

}
