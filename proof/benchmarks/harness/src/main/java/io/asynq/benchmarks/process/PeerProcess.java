package io.asynq.benchmarks.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.asynq.test.process.Dialogue;

public record PeerProcess(Path log, Dialogue process) implements AutoCloseable {

	/** Longer than a peer is ever told to wait. */
	private static final Duration PATIENCE = Duration.ofMinutes(5);

	static PeerProcess start(String name, List<String> command, Path log) {
		// A JVM may print before a peer can redirect its output
		return new PeerProcess(log, new Dialogue(name, command, log,
				(line) -> line.startsWith("ok") || line.startsWith("error"), PATIENCE));
	}

	public String name() {
		return this.process.name();
	}

	public long pid() {
		return this.process.pid();
	}

	public Answer call(String verb, Map<String, ?> settings) {
		send(verb, settings);
		return answer();
	}

	/** Sends a line; its answer must be taken before the next one. */
	public void send(String verb, Map<String, ?> settings) {
		StringBuilder line = new StringBuilder(verb);
		settings.forEach((name, value) -> line.append(' ').append(name).append('=').append(value));
		this.process.send(line.toString());
	}

	public Answer answer() {
		String line = this.process.answer();
		if (!line.startsWith("ok")) {
			throw new IllegalStateException("Peer '" + name() + "' says: " + line + "; its log is " + this.log);
		}
		return Answer.parse(line);
	}

	@Override
	public void close() {
		this.process.close();
	}

}
