package io.asynq.logging;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * A copy of an error with its causes and suppressed errors, whose texts may be shown. The
 * stack traces are those of the originals. Its name is what metrics have as the class of
 * the error.
 */
public final class RedactedError extends Throwable {

	private static final long serialVersionUID = 1L;

	private static final int MAX_ERRORS = 100;

	private RedactedError(String text, StackTraceElement[] stack) {
		super(text);
		setStackTrace(stack);
	}

	/**
	 * Copies an error.
	 * @param error any error; what its own methods throw is thrown
	 * @param text returns the text of each error in place of its message
	 */
	public static Throwable of(Throwable error, Function<Throwable, String> text) {
		return copy(error, text, Collections.newSetFromMap(new IdentityHashMap<>()));
	}

	/**
	 * Returns an error that has a text and nothing else.
	 */
	public static Throwable textOnly(String text) {
		return new RedactedError(text, new StackTraceElement[0]);
	}

	/**
	 * Returns an error with its causes and suppressed errors, as far as they are copied.
	 * @param error any error; what its own methods throw is thrown
	 * @return each once, an error before its causes; {@link #isAll all of them} or not
	 */
	public static List<Throwable> parts(Throwable error) {
		List<Throwable> parts = new ArrayList<>();
		collect(error, parts, Collections.newSetFromMap(new IdentityHashMap<>()));
		return parts;
	}

	/** Returns whether an error has no more than these parts. */
	public static boolean isAll(List<Throwable> parts) {
		return parts.size() < MAX_ERRORS;
	}

	@Override
	public synchronized Throwable fillInStackTrace() {
		return this;
	}

	@Override
	public String toString() {
		return String.valueOf(getMessage());
	}

	private static void collect(Throwable error, List<Throwable> parts, Set<Throwable> seen) {
		for (Throwable current = error; current != null && isAll(parts)
				&& seen.add(current); current = current.getCause()) {
			parts.add(current);
			for (Throwable suppressed : current.getSuppressed()) {
				collect(suppressed, parts, seen);
			}
		}
	}

	private static RedactedError copy(Throwable error, Function<Throwable, String> text, Set<Throwable> seen) {
		RedactedError copy = new RedactedError(text.apply(error), error.getStackTrace());
		if (!seen.add(error) || seen.size() > MAX_ERRORS) {
			return copy;
		}
		for (Throwable suppressed : error.getSuppressed()) {
			copy.addSuppressed(copy(suppressed, text, seen));
		}
		Throwable cause = error.getCause();
		if (cause != null) {
			copy.initCause(copy(cause, text, seen));
		}
		return copy;
	}

}
