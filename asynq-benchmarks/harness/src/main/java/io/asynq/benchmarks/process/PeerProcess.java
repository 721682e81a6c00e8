package io.asynq.benchmarks.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A peer in a process of its own, that obeys one line at a time. What it logs goes to a
 * file.
 */
public final class PeerProcess implements AutoCloseable {

	/** Longer than a peer is ever told to wait. */
	private static final Duration PATIENCE = Duration.ofMinutes(5);

	private static final String ENDED = "nothing, it has ended";

	private final String name;

	private final Path log;

	private final Process process;

	private final PrintStream commands;

	private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

	private PeerProcess(String name, Path log, Process process) {
		this.name = name;
		this.log = log;
		this.process = process;
		this.commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
		Thread reader = new Thread(this::read, "answers-of-" + name);
		reader.setDaemon(true);
		reader.start();
	}

	static PeerProcess start(String name, List<String> command, Path log) {
		try {
			Process process = new ProcessBuilder(command).redirectError(Redirect.appendTo(log.toFile())).start();
			return new PeerProcess(name, log, process);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Peer '" + name + "' cannot be started with " + command, ex);
		}
	}

	public String name() {
		return this.name;
	}

	public long pid() {
		return this.process.pid();
	}

	/**
	 * Has the peer obey.
	 * @param verb the verb
	 * @param settings its settings
	 * @return its answer
	 */
	public Answer call(String verb, Map<String, ?> settings) {
		send(verb, settings);
		return answer();
	}

	/**
	 * Sends a line; the answer is to be taken before the next one.
	 * @param verb the verb
	 * @param settings its settings
	 */
	public void send(String verb, Map<String, ?> settings) {
		StringBuilder line = new StringBuilder(verb);
		settings.forEach((name, value) -> line.append(' ').append(name).append('=').append(value));
		this.commands.println(line);
	}

	/**
	 * Takes the answer to the line that was sent last.
	 * @return the answer
	 */
	public Answer answer() {
		String line = nextLine();
		if (!line.startsWith("ok")) {
			throw new IllegalStateException("Peer '" + this.name + "' says: " + line + "; its log is " + this.log);
		}
		return Answer.parse(line);
	}

	@Override
	public void close() {
		this.commands.close();
		try {
			if (!this.process.waitFor(10, TimeUnit.SECONDS)) {
				this.process.destroyForcibly().waitFor();
			}
		}
		catch (InterruptedException ex) {
			this.process.destroyForcibly();
			Thread.currentThread().interrupt();
		}
	}

	private String nextLine() {
		try {
			String line = this.lines.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
			if (line != null) {
				if (line.equals(ENDED)) {
					// For whoever asks next
					this.lines.add(line);
				}
				return line;
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		throw new IllegalStateException(
				"Peer '" + this.name + "' has not answered within " + PATIENCE + "; its log is " + this.log);
	}

	/**
	 * Reads answers until the peer ends: a thread of its own, because reading a pipe has
	 * no timeout.
	 */
	private void read() {
		try (BufferedReader answers = this.process.inputReader(StandardCharsets.UTF_8)) {
			// A JVM may have something to say before a peer can redirect it
			answers.lines()
				.filter((line) -> line.startsWith("ok") || line.startsWith("error"))
				.forEach(this.lines::add);
		}
		catch (IOException | UncheckedIOException ex) {
			this.lines.add("(broken pipe: " + ex + ")");
		}
		this.lines.add(ENDED);
	}

}
