package io.asynq.logging;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Replaces an error if its message or that of a cause is not one printable line, because
 * loggers write the messages as they are.
 */
final class PrintableError extends Throwable {

	private static final long serialVersionUID = 1L;

	private static final int MAX_ERRORS = 100;

	private PrintableError(Throwable error, StackTraceElement[] stack) {
		super(Printable.of(error));
		setStackTrace(stack);
	}

	/**
	 * Returns the error itself if all of its messages are printable, otherwise a copy.
	 * @param error any error, whose own methods may fail
	 */
	static @Nullable Throwable of(@Nullable Throwable error) {
		try {
			return (error == null || isPrintable(error, seen())) ? error : copy(error, seen());
		}
		catch (Throwable ex) {
			return new PrintableError(error, new StackTraceElement[0]);
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

	private static boolean isPrintable(Throwable error, Set<Throwable> seen) {
		for (Throwable current = error; current != null && seen.add(current); current = current.getCause()) {
			// Loggers write different ones of these
			if (seen.size() > MAX_ERRORS || !Stream
				.of(current.toString(), String.valueOf(current.getMessage()),
						String.valueOf(current.getLocalizedMessage()))
				.allMatch(Printable::isPrintable)) {
				return false;
			}
			for (Throwable suppressed : current.getSuppressed()) {
				if (!isPrintable(suppressed, seen)) {
					return false;
				}
			}
		}
		return true;
	}

	private static Throwable copy(Throwable error, Set<Throwable> seen) {
		PrintableError copy = new PrintableError(error, error.getStackTrace());
		if (!seen.add(error) || seen.size() > MAX_ERRORS) {
			return copy;
		}
		for (Throwable suppressed : error.getSuppressed()) {
			copy.addSuppressed(copy(suppressed, seen));
		}
		Throwable cause = error.getCause();
		if (cause != null) {
			copy.initCause(copy(cause, seen));
		}
		return copy;
	}

}
