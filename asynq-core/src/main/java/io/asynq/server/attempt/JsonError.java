package io.asynq.server.attempt;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * A copy of an error, its causes and suppressed errors, without what a JSON parser says:
 * that quotes the payload, which must not appear in logs. The stack traces are those of
 * the originals.
 */
final class JsonError extends Throwable {

	private static final long serialVersionUID = 1L;

	private static final int MAX_ERRORS = 100;

	private JsonError(String text, StackTraceElement[] stack) {
		super(text);
		setStackTrace(stack);
	}

	/**
	 * Returns the error itself if no parser has a part in it, otherwise a copy.
	 * @param error any error, whose own methods may fail
	 */
	static Throwable of(Throwable error) {
		try {
			Set<String> quotes = new LinkedHashSet<>();
			Set<Throwable> seen = seen();
			collect(error, quotes, seen);
			return (quotes.isEmpty() && seen.size() < MAX_ERRORS) ? error : copy(error, quotes, seen());
		}
		catch (Throwable ex) {
			return new JsonError(error.getClass().getName(), new StackTraceElement[0]);
		}
	}

	@Override
	public synchronized Throwable fillInStackTrace() {
		return this;
	}

	@Override
	public String toString() {
		return String.valueOf(getMessage());
	}

	private static Set<Throwable> seen() {
		return Collections.newSetFromMap(new IdentityHashMap<>());
	}

	private static void collect(Throwable error, Set<String> quotes, Set<Throwable> seen) {
		for (Throwable current = error; current != null && seen.size() < MAX_ERRORS
				&& seen.add(current); current = current.getCause()) {
			ErrorTexts.addQuotes(current, quotes);
			for (Throwable suppressed : current.getSuppressed()) {
				collect(suppressed, quotes, seen);
			}
		}
	}

	private static JsonError copy(Throwable error, Set<String> quotes, Set<Throwable> seen) {
		JsonError copy = new JsonError(ErrorTexts.withoutQuotes(error, quotes), error.getStackTrace());
		if (!seen.add(error) || seen.size() > MAX_ERRORS) {
			return copy;
		}
		for (Throwable suppressed : error.getSuppressed()) {
			copy.addSuppressed(copy(suppressed, quotes, seen));
		}
		Throwable cause = error.getCause();
		if (cause != null) {
			copy.initCause(copy(cause, quotes, seen));
		}
		return copy;
	}

}
