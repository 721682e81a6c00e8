package io.asynq.internal.text;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Copies errors with the stack traces of the originals but texts that may be shown; its
 * name is what metrics have as the class of the error.
 */
public final class RedactedError extends Throwable {

	private static final long serialVersionUID = 1L;

	private static final int MAX_ERRORS = 100;

	private RedactedError(String text, StackTraceElement[] stack) {
		super(text);
		setStackTrace(stack);
	}

	/** Throws what the error's own methods throw. */
	public static Throwable of(Throwable error, Function<Throwable, String> text) {
		return copy(error, text, Collections.newSetFromMap(new IdentityHashMap<>()));
	}

	public static Throwable textOnly(String text) {
		return new RedactedError(text, new StackTraceElement[0]);
	}

	/** Throws what the error's own methods throw. */
	public static List<Throwable> parts(Throwable error) {
		List<Throwable> parts = new ArrayList<>();
		collect(error, parts, Collections.newSetFromMap(new IdentityHashMap<>()));
		return parts;
	}

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
