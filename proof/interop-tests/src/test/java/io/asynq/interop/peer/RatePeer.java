package io.asynq.interop.peer;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.asynq.test.process.Dialogue;

/**
 * Asynq's {@code x/rate} semaphore in a real Go server, in a separate process that ends
 * with its standard input.
 */
public final class RatePeer implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private final Dialogue process;

	/**
	 * Starts the program.
	 * @param redis the Redis it uses
	 * @param scope the semaphore's scope
	 * @param tokens how many tokens it has
	 */
	public RatePeer(URI redis, String scope, int tokens) {
		this.process = new Dialogue("ratepeer",
				List.of(Executable.PATH.toString(), "-addr", redis.getHost() + ":" + redis.getPort(), "-scope", scope,
						"-tokens", Integer.toString(tokens)),
				GoBinary.target().resolve("ratepeer.log"), (line) -> true, PATIENCE);
	}

	/**
	 * Acquires a token for a task.
	 * @return whether it got one
	 */
	public boolean acquire(String taskId) {
		return Boolean.parseBoolean(ask("acquire " + taskId));
	}

	/**
	 * Releases the token of a task.
	 * @return Go's answer, {@code released} on success
	 */
	public String release(String taskId) {
		return ask("release " + taskId);
	}

	@Override
	public void close() {
		this.process.close();
	}

	private String ask(String command) {
		this.process.send(command);
		return this.process.answer();
	}

	private static final class Executable {

		static final Path PATH = GoBinary.build("go-rate", "ratepeer");

	}

}
