package io.asynq.handler;

import io.asynq.AsynqException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a handler, directly or as a cause, to drop the task, as Go's
 * {@code RevokeTask}: it is neither retried nor archived nor retained.
 */
public class RevokeTaskException extends AsynqException {

	public RevokeTaskException(String message) {
		super(message);
	}

	public RevokeTaskException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
