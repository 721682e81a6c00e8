package io.asynq.server;

import io.asynq.AsynqException;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of an error with its task.
 */
final class ErrorTexts {

	private ErrorTexts() {
	}

	/**
	 * Describes an error: ours by their message, which is the text that Go writes too,
	 * all others with their class.
	 * @param error the error
	 * @return the text
	 */
	static String describe(Throwable error) {
		if (error instanceof AsynqException && error.getMessage() != null) {
			return error.getMessage();
		}
		return error.toString();
	}

	/**
	 * Looks for an error of a type, as errors may be wrapped on their way.
	 * @param error the error
	 * @param type the type
	 * @return whether the error or one of its causes is of the type
	 */
	static boolean hasCause(@Nullable Throwable error, Class<? extends Throwable> type) {
		Throwable current = error;
		for (int depth = 0; current != null && depth < 100; depth++) {
			if (type.isInstance(current)) {
				return true;
			}
			current = current.getCause();
		}
		return false;
	}

}
