package io.asynq.cli.terminal;

import java.io.Console;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/**
 * Tells whether a person sees what is printed and can answer.
 */
public final class Terminal {

	private final BooleanSupplier present;

	private final IntSupplier columns;

	/**
	 * @param present whether it is there
	 * @param columns how wide it is, 0 if it does not tell
	 */
	public Terminal(BooleanSupplier present, IntSupplier columns) {
		this.present = present;
		this.columns = columns;
	}

	/** Looks when it is asked: on Java 22 and later that loads many classes. */
	static Terminal ofProcess() {
		return new Terminal(Terminal::look, Terminal::measure);
	}

	public boolean isThere() {
		return this.present.getAsBoolean();
	}

	int columns() {
		return this.columns.getAsInt();
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
