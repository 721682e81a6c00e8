package io.asynq.cli.terminal;

import java.io.Console;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.BooleanSupplier;

/**
 * Tells whether a person sees what is printed and can answer.
 */
public final class Terminal {

	private final BooleanSupplier present;

	public Terminal(BooleanSupplier present) {
		this.present = present;
	}

	/** Looks when it is asked: on Java 22 and later that loads many classes. */
	static Terminal ofProcess() {
		return new Terminal(Terminal::look);
	}

	public boolean isThere() {
		return this.present.getAsBoolean();
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
