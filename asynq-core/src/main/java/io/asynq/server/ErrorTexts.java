package io.asynq.server;

import java.util.Set;

import io.asynq.AsynqException;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of an error with its task.
 */
final class ErrorTexts {

	private static final int MAX_DEPTH = 100;

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
	 * @return the text
	 */
	static String describe(Throwable error) {
		String text = (error instanceof AsynqException && error.getMessage() != null) ? error.getMessage()
				: error.toString();
		Throwable current = error;
		for (int depth = 0; current != null && depth < MAX_DEPTH; depth++) {
			String message = current.getMessage();
			if (message != null && !message.isEmpty() && isParser(current.getClass())) {
				text = text.replace(message, "(what the parser says may quote the payload, so it is left out)");
			}
			current = current.getCause();
		}
		return text;
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
			current = current.getCause();
		}
		return null;
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
