package io.asynq.interop.peer;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.asynq.test.process.Dialogue;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A real Go server with OpenTelemetry, in a separate process that ends with its standard
 * input. For each task that it works on it enqueues another one.
 */
public final class RelayPeer implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private final Dialogue process;

	/**
	 * Starts the program.
	 * @param redis the Redis it uses
	 * @param from the queue that it works on
	 * @param next the type of the tasks that it enqueues, in the default queue
	 */
	public RelayPeer(URI redis, String from, String next) {
		this.process = new Dialogue("relay",
				List.of(Executable.PATH.toString(), "-addr", redis.getHost() + ":" + redis.getPort(), "-from", from,
						"-next", next),
				GoBinary.target().resolve("relay.log"), (line) -> line.startsWith("{"), PATIENCE);
	}

	/**
	 * Waits for the end of the span of its next task.
	 */
	public Span span() {
		JsonNode span = JsonMapper.shared().readTree(this.process.answer());
		return new Span(span.get("name").asString(), span.get("trace").asString(), span.get("span").asString(),
				span.get("parent").asString());
	}

	@Override
	public void close() {
		this.process.close();
	}

	/**
	 * A span that Go has recorded.
	 *
	 * @param name its name
	 * @param traceId its trace
	 * @param spanId its id
	 * @param parentId the id of its parent
	 */
	public record Span(String name, String traceId, String spanId, String parentId) {
	}

	private static final class Executable {

		static final Path PATH = GoBinary.build("go-relay", "relay");

	}

}
