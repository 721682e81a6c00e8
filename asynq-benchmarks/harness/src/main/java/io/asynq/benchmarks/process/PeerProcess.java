package io.asynq.benchmarks.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A peer in a process of its own, that obeys one line at a time. What it logs goes to a
 * file.
 */
public final class PeerProcess implements AutoCloseable {

	private final String name;

	private final Path log;

	private final Process process;

	private final PrintStream commands;

	private final BufferedReader answers;

	private PeerProcess(String name, Path log, Process process) {
		this.name = name;
		this.log = log;
		this.process = process;
		this.commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
		this.answers = process.inputReader(StandardCharsets.UTF_8);
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
		try {
			String line = this.answers.readLine();
			if (line == null || !line.startsWith("ok")) {
				throw new IllegalStateException("Peer '" + this.name + "' says: " + line + "; its log is " + this.log);
			}
			return Answer.parse(line);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Peer '" + this.name + "' does not answer; its log is " + this.log, ex);
		}
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

}
