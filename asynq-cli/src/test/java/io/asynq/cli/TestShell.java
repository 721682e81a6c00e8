package io.asynq.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.asynq.test.TestRedis;

/**
 * Runs the program as a shell does, in this JVM, and keeps what was said in
 * {@code target/transcripts}.
 */
public final class TestShell {

	private static final Path TRANSCRIPTS = Path.of("target", "transcripts");

	private final String name;

	private final Map<String, String> variables = new LinkedHashMap<>();

	private Path home = Path.of("target", "no-home");

	private boolean terminal;

	private String answers = "";

	/**
	 * @param test what the transcript is named after
	 */
	public TestShell(Class<?> test, TestRedis redis) {
		this.name = test.getSimpleName();
		this.variables.put("ASYNQ_URI", redis.uri().toString());
	}

	public TestShell variable(String variable, String value) {
		this.variables.put(variable, value);
		return this;
	}

	/** Begins a new transcript. */
	TestShell afresh() {
		try {
			Files.deleteIfExists(TRANSCRIPTS.resolve(this.name + ".txt"));
			return this;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** What is around a program that nobody runs. */
	static Surroundings nowhere() {
		return new Surroundings(new PrintWriter(Writer.nullWriter()), new PrintWriter(Writer.nullWriter()),
				new BufferedReader(Reader.nullReader()), new Surroundings.Terminal(() -> false, () -> 0), Map.of(),
				Path.of("target"), Clock.systemUTC());
	}

	public TestShell home(Path directory) {
		this.home = directory;
		return this;
	}

	/** A person sits at the terminal and types this. */
	public TestShell person(String typed) {
		this.terminal = true;
		this.answers = typed;
		return this;
	}

	public Ran run(String... args) {
		Ran ran = quietly(args);
		keep(List.of(args), ran);
		return ran;
	}

	/** Runs the program without a word of it in the transcript. */
	Ran quietly(String... args) {
		StringWriter out = new StringWriter();
		StringWriter err = new StringWriter();
		int code = AsynqCli.run(new Surroundings(new PrintWriter(out), new PrintWriter(err),
				new BufferedReader(new StringReader(this.answers)),
				new Surroundings.Terminal(() -> this.terminal, () -> 0), this.variables, this.home, Clock.systemUTC()),
				args);
		return new Ran(code, out.toString(), err.toString());
	}

	private void keep(List<String> args, Ran ran) {
		try {
			Files.createDirectories(TRANSCRIPTS);
			Files.writeString(
					TRANSCRIPTS.resolve(this.name + ".txt"), "$ asynq " + String.join(" ", args) + "\n" + ran.out()
							+ ran.err() + "[exit " + ran.code() + "]\n\n",
					StandardOpenOption.CREATE, StandardOpenOption.APPEND);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * What was said.
	 *
	 * @param code the exit code
	 * @param out the results
	 * @param err everything else
	 */
	public record Ran(int code, String out, String err) {

		/** Both, as a terminal shows them. */
		public String all() {
			return this.out + this.err;
		}

	}

}
