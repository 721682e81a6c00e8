package io.asynq.interop.peer;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import io.asynq.test.process.Child;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Requests to a running Go program, its replies and its events. The program ends when its
 * standard input is closed, so also with this JVM. Safe for concurrent use.
 */
public final class GoConnection implements AutoCloseable {

	private static final long REPLY_SECONDS = 30;

	private static final Duration END = Duration.ofSeconds(30);

	private final JsonMapper json = JsonMapper.shared();

	private final Map<Long, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();

	private final AtomicLong ids = new AtomicLong();

	private final Consumer<JsonNode> events;

	private final Child process;

	/**
	 * Starts a program.
	 * @param events receives its events
	 */
	public GoConnection(Path executable, URI redis, Consumer<JsonNode> events) {
		this.events = events;
		this.process = Child.start("The Go program", List.of(executable.toString(), "-redis", redis.toString()),
				GoBinary.target().resolve("stderr.log"), new Replies());
	}

	/**
	 * Sends a request and waits for its reply.
	 * @param arguments its arguments; {@code null} values are left out
	 * @return the result, a null node if there is none
	 * @throws GoException if the program reports an error
	 */
	public JsonNode call(String command, Map<String, ? extends @Nullable Object> arguments) {
		long id = this.ids.incrementAndGet();
		CompletableFuture<JsonNode> reply = new CompletableFuture<>();
		this.waiting.put(id, reply);
		send(id, command, arguments);
		JsonNode answer = await(command, reply);
		if (answer.hasNonNull("error")) {
			throw new GoException(command, answer.path("kind").asString(), answer.path("error").asString());
		}
		return answer.path("result");
	}

	@Override
	public void close() {
		if (!this.process.finish(END)) {
			throw new IllegalStateException("The Go program did not end with its input");
		}
	}

	private void send(long id, String command, Map<String, ? extends @Nullable Object> arguments) {
		Map<String, @Nullable Object> present = new LinkedHashMap<>(arguments);
		present.values().removeIf((value) -> value == null);
		this.process.send(this.json.writeValueAsString(Map.of("id", id, "cmd", command, "args", present)));
	}

	private static JsonNode await(String command, CompletableFuture<JsonNode> reply) {
		try {
			return reply.get(REPLY_SECONDS, TimeUnit.SECONDS);
		}
		catch (TimeoutException ex) {
			throw new IllegalStateException("No reply to '" + command + "' in " + REPLY_SECONDS + " s", ex);
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("No reply to '" + command + "'", ex.getCause());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while '" + command + "' ran", ex);
		}
	}

	/**
	 * Dispatches replies to their requests, and events to the listener.
	 */
	private final class Replies implements Child.Listener {

		@Override
		public void said(String text) {
			JsonNode line = GoConnection.this.json.readTree(text);
			if (line.has("event")) {
				GoConnection.this.events.accept(line);
				return;
			}
			CompletableFuture<JsonNode> reply = GoConnection.this.waiting.remove(line.path("id").asLong());
			if (reply != null) {
				reply.complete(line);
			}
		}

		@Override
		public void ended() {
			IOException gone = new IOException("The Go program has ended; see stderr.log");
			GoConnection.this.waiting.values().forEach((reply) -> reply.completeExceptionally(gone));
		}

	}

}
