package io.asynq;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by a handler, directly or as a cause: the task is archived at once, whatever
 * retries are left (asynq H06).
 */
public class SkipRetryException extends AsynqException {

	public SkipRetryException(String message) {
		super(message);
	}

	public SkipRetryException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
