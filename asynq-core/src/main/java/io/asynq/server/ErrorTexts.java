package io.asynq.server;

import java.util.Set;

import io.asynq.AsynqException;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of an error with its task. Errors are users' code, too: what their methods
 * throw leaves out what they would have said.
 */
final class ErrorTexts {

	private static final int MAX_DEPTH = 100;

	/** One more than is kept, so that whoever keeps it sees that it was cut. */
	private static final int MAX_LENGTH = 10_001;

	private static final String LEFT_OUT = "(what the parser says may quote the payload, so it is left out)";

	/** By name, because Jackson need not be there, in either of its generations. */
	private static final Set<String> PARSERS = Set.of("tools.jackson.core.JacksonException",
			"com.fasterxml.jackson.core.JacksonException", "com.fasterxml.jackson.core.JsonProcessingException");

	private ErrorTexts() {
	}

	/**
	 * Describes an error: ours by their message, which is the text that Go writes too,
	 * all others with their class. What a JSON parser says is left out: it quotes the
	 * payload, which must get neither into logs nor into what tools show.
	 * @param error the error
	 * @return the text, cut if it is long
	 */
	static String describe(Throwable error) {
		String name = error.getClass().getName();
		try {
			String text = text(error, name);
			Throwable current = error;
			for (int depth = 0; current != null && depth < MAX_DEPTH; depth++) {
				String message = isParser(current.getClass()) ? message(current) : null;
				if (message != null && !message.isEmpty()) {
					// What was cut may end within the quotation
					text = (text.length() < MAX_LENGTH) ? text.replace(message, LEFT_OUT) : name + ": " + LEFT_OUT;
				}
				current = cause(current);
			}
			return text;
		}
		catch (Throwable ex) {
			return name;
		}
	}

	/**
	 * Looks for an error of a type, as errors may be wrapped on their way.
	 * @param error the error
	 * @param type the type
	 * @return whether the error or one of its causes is of the type
	 */
	static boolean hasCause(@Nullable Throwable error, Class<? extends Throwable> type) {
		return findCause(error, type) != null;
	}

	/**
	 * Finds the outermost error of a type.
	 * @param <T> the type
	 * @param error the error
	 * @param type the type
	 * @return the error or one of its causes, {@code null} if none is of the type
	 */
	static <T extends Throwable> @Nullable T findCause(@Nullable Throwable error, Class<T> type) {
		Throwable current = error;
		for (int depth = 0; current != null && depth < MAX_DEPTH; depth++) {
			if (type.isInstance(current)) {
				return type.cast(current);
			}
			current = cause(current);
		}
		return null;
	}

	private static String text(Throwable error, String name) {
		String message = message(error);
		if (error instanceof AsynqException && message != null) {
			return cut(message);
		}
		if (message != null && message.length() >= MAX_LENGTH) {
			// A text of it would be another one of that size
			return cut(name + ": " + cut(message));
		}
		try {
			String text = error.toString();
			return (text != null) ? cut(text) : name;
		}
		catch (Throwable ex) {
			return (message != null) ? cut(name + ": " + message) : name;
		}
	}

	private static String cut(String text) {
		return (text.length() > MAX_LENGTH) ? text.substring(0, MAX_LENGTH) : text;
	}

	private static @Nullable String message(Throwable error) {
		try {
			return error.getMessage();
		}
		catch (Throwable ex) {
			return null;
		}
	}

	private static @Nullable Throwable cause(Throwable error) {
		try {
			return error.getCause();
		}
		catch (Throwable ex) {
			return null;
		}
	}

	private static boolean isParser(Class<?> type) {
		for (Class<?> current = type; current != null; current = current.getSuperclass()) {
			if (PARSERS.contains(current.getName())) {
				return true;
			}
		}
		return false;
	}

}
