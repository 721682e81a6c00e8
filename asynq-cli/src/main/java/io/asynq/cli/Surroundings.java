package io.asynq.cli;

import java.io.BufferedReader;
import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.lang.ProcessBuilder.Redirect;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/** What is around a run of the program. */
record Surroundings(PrintWriter out, PrintWriter err, BufferedReader in, Terminal terminal,
		Map<String, String> variables, Path home, Clock clock) {

	/** Output is UTF-8, as Go's is. */
	static Surroundings ofProcess() {
		return new Surroundings(writer(FileDescriptor.out), writer(FileDescriptor.err),
				new BufferedReader(
						new InputStreamReader(new FileInputStream(FileDescriptor.in), StandardCharsets.UTF_8)),
				Terminal.ofProcess(), System.getenv(), Path.of(System.getProperty("user.home")),
				Clock.systemDefaultZone());
	}

	int columns() {
		if (!this.terminal.isThere()) {
			return 0;
		}
		String given = this.variables.getOrDefault("COLUMNS", "");
		return given.matches("[1-9]\\d{0,4}") ? Integer.parseInt(given) : this.terminal.columns().getAsInt();
	}

	private static PrintWriter writer(FileDescriptor descriptor) {
		return new PrintWriter(new OutputStreamWriter(new FileOutputStream(descriptor), StandardCharsets.UTF_8));
	}

	record Terminal(BooleanSupplier present, IntSupplier columns) {

		/** Looks when it is asked: on Java 22 and later that loads many classes. */
		static Terminal ofProcess() {
			return new Terminal(Terminal::look, Terminal::measure);
		}

		boolean isThere() {
			return this.present.getAsBoolean();
		}

		/** Starts a program, as Java cannot ask and JLine would start the same one. */
		private static int measure() {
			try {
				Process stty = new ProcessBuilder("stty", "size").redirectInput(Redirect.INHERIT)
					.redirectError(Redirect.DISCARD)
					.start();
				String said = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
				return said.matches("\\d{1,5} \\d{1,5}") ? Integer.parseInt(said.substring(said.indexOf(' ') + 1)) : 0;
			}
			catch (IOException ex) {
				return 0;
			}
		}

		/** Since Java 22 there is a console without a terminal as well. */
		private static boolean look() {
			Console console = System.console();
			if (console == null || Runtime.version().feature() < 22) {
				return console != null;
			}
			try {
				return (boolean) MethodHandles.publicLookup()
					.findVirtual(Console.class, "isTerminal", MethodType.methodType(boolean.class))
					.invoke(console);
			}
			catch (Throwable ex) {
				return false;
			}
		}

	}

}
