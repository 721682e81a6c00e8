package io.asynq.handler;

import io.asynq.AsynqException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a handler, directly or as a cause, to archive the task at once, even if it
 * has retries left, as Go's {@code SkipRetry}.
 */
public class SkipRetryException extends AsynqException {

	public SkipRetryException(String message) {
		super(message);
	}

	public SkipRetryException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
