package io.asynq.cli.terminal;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;

/**
 * What is around a run of the program.
 *
 * @param out where results go
 * @param err where errors, questions and progress go
 * @param in where answers come from
 * @param terminal whether a person is there
 * @param environment variables and the home directory
 * @param clock the time
 */
public record Surroundings(PrintWriter out, PrintWriter err, BufferedReader in, Terminal terminal,
		Environment environment, Clock clock) {

	/** Returns what is around this process. Output is UTF-8, as Go's is. */
	public static Surroundings ofProcess() {
		return new Surroundings(writer(FileDescriptor.out), writer(FileDescriptor.err),
				new BufferedReader(
						new InputStreamReader(new FileInputStream(FileDescriptor.in), StandardCharsets.UTF_8)),
				Terminal.ofProcess(), new Environment(System.getenv(), Path.of(System.getProperty("user.home"))),
				Clock.systemDefaultZone());
	}

	/** Returns how wide a line may be, 0 for as wide as it is. */
	public int columns() {
		if (!this.terminal.isThere()) {
			return 0;
		}
		String given = this.environment.variables().getOrDefault("COLUMNS", "");
		return given.matches("[1-9]\\d{0,4}") ? Integer.parseInt(given) : this.terminal.columns();
	}

	private static PrintWriter writer(FileDescriptor descriptor) {
		return new PrintWriter(new OutputStreamWriter(new FileOutputStream(descriptor), StandardCharsets.UTF_8));
	}

	/**
	 * What a process inherits.
	 *
	 * @param variables by name
	 * @param home the user's directory
	 */
	public record Environment(Map<String, String> variables, Path home) {
	}

}
