package io.asynq;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by a handler, directly or as a cause: the task is dropped as if it were done; it
 * is neither retried nor archived nor retained (asynq H07, H08).
 */
public class RevokeTaskException extends AsynqException {

	public RevokeTaskException(String message) {
		super(message);
	}

	public RevokeTaskException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
