package io.asynq.interop.peer;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.asynq.test.process.Dialogue;
import tools.jackson.databind.json.JsonMapper;

/**
 * Asynq's {@code x/metrics} collector in a Go program, in a separate process that ends
 * with its standard input.
 */
public final class MetricsPeer implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private final Dialogue process;

	/**
	 * Starts the program.
	 * @param redis the Redis it uses
	 */
	public MetricsPeer(URI redis) {
		this.process = new Dialogue("metricspeer",
				List.of(Executable.PATH.toString(), "-addr", redis.getHost() + ":" + redis.getPort()),
				GoBinary.target().resolve("metricspeer.log"), (line) -> line.startsWith("\""), PATIENCE);
	}

	/**
	 * Returns what a Prometheus that scrapes the program gets, in the text format.
	 */
	public String scrape() {
		this.process.send("scrape");
		return JsonMapper.shared().readTree(this.process.answer()).asString();
	}

	@Override
	public void close() {
		this.process.close();
	}

	private static final class Executable {

		static final Path PATH = GoBinary.build("go-metrics", "metricspeer");

	}

}
