package io.asynq;

import org.jspecify.annotations.Nullable;

/**
 * Root of everything this library throws. Messages name the task, queue, option or method
 * and the way out; they never hold a payload.
 */
public class AsynqException extends RuntimeException {

	public AsynqException(String message) {
		super(message);
	}

	public AsynqException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
