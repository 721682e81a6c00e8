package io.asynq.interop.peer;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Requests to a running Go program, its replies and its events. The program ends when its
 * standard input is closed, so also with this JVM. Safe for concurrent use.
 */
public final class GoConnection implements AutoCloseable {

	private static final long REPLY_SECONDS = 30;

	private static final long END_SECONDS = 5;

	private final JsonMapper json = JsonMapper.shared();

	private final Map<Long, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();

	private final AtomicLong ids = new AtomicLong();

	private final Consumer<JsonNode> events;

	private final Process process;

	private final BufferedWriter requests;

	private final Thread reader;

	/**
	 * Starts a program.
	 * @param executable the program
	 * @param redis the Redis it uses
	 * @param events takes what it tells unasked
	 */
	public GoConnection(Path executable, URI redis, Consumer<JsonNode> events) {
		this.events = events;
		try {
			this.process = new ProcessBuilder(executable.toString(), "-redis", redis.toString())
				.redirectError(Redirect.appendTo(GoProgram.target().resolve("stderr.log").toFile()))
				.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The Go program does not start", ex);
		}
		this.requests = this.process.outputWriter();
		this.reader = new Thread(this::read, "go-peer-reader");
		this.reader.setDaemon(true);
		this.reader.start();
	}

	/**
	 * Sends a request and waits for its reply.
	 * @param command the command
	 * @param arguments its arguments; {@code null} values are left out
	 * @return the result, a null node if there is none
	 * @throws GoException if the program says that it failed
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
		try {
			this.requests.close();
			if (!this.process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
				throw new IllegalStateException("The Go program did not end with its input");
			}
			this.reader.join(TimeUnit.SECONDS.toMillis(END_SECONDS));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.process.destroyForcibly();
		}
	}

	private void send(long id, String command, Map<String, ? extends @Nullable Object> arguments) {
		Map<String, @Nullable Object> present = new LinkedHashMap<>(arguments);
		present.values().removeIf((value) -> value == null);
		String line = this.json.writeValueAsString(Map.of("id", id, "cmd", command, "args", present));
		synchronized (this.requests) {
			try {
				this.requests.write(line);
				this.requests.newLine();
				this.requests.flush();
			}
			catch (IOException ex) {
				throw new UncheckedIOException("The Go program does not take '" + command + "'; see stderr.log", ex);
			}
		}
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

	private void read() {
		try (BufferedReader lines = this.process.inputReader()) {
			String line = lines.readLine();
			while (line != null) {
				take(this.json.readTree(line));
				line = lines.readLine();
			}
		}
		catch (IOException ex) {
			// Closed from this side
		}
		IOException gone = new IOException("The Go program has ended; see stderr.log");
		this.waiting.values().forEach((reply) -> reply.completeExceptionally(gone));
	}

	private void take(JsonNode line) {
		if (line.has("event")) {
			this.events.accept(line);
			return;
		}
		CompletableFuture<JsonNode> reply = this.waiting.remove(line.path("id").asLong());
		if (reply != null) {
			reply.complete(line);
		}
	}

}
