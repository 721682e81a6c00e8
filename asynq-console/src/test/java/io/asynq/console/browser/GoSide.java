package io.asynq.console.browser;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

import io.asynq.test.process.Dialogue;
import io.asynq.test.process.GoProgram;
import io.asynq.test.process.Repository;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Go asynq in a separate process: the program of the interop tests, one request at a
 * time.
 */
final class GoSide implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private final JsonMapper json = JsonMapper.shared();

	private final AtomicLong ids = new AtomicLong();

	private final Dialogue program;

	/**
	 * Builds and starts it.
	 * @param log the file that its errors go to
	 */
	GoSide(URI redis, Path log) {
		Path executable = GoProgram.build(Repository.path("proof/interop-tests/src/test/go"),
				Repository.path("asynq-console/target/go/asynqpeer"));
		this.program = new Dialogue("The Go program", List.of(executable.toString(), "-redis", redis.toString()), log,
				(line) -> line.startsWith("{\"id\":"), PATIENCE);
	}

	/**
	 * Sends a request and waits for its reply.
	 * @return the result
	 */
	synchronized JsonNode call(String command, Map<String, ?> arguments) {
		this.program.send(this.json
			.writeValueAsString(Map.of("id", this.ids.incrementAndGet(), "cmd", command, "args", arguments)));
		JsonNode answer = this.json.readTree(this.program.answer());
		if (answer.hasNonNull("error")) {
			throw new IllegalStateException("Go refused '" + command + "': " + answer.path("error").asString());
		}
		return answer.path("result");
	}

	@Override
	public void close() {
		this.program.close();
	}

}
