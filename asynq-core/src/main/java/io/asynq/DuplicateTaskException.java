package io.asynq;

/**
 * Another task holds the unique lock of this type, payload and queue (asynq C11).
 */
public class DuplicateTaskException extends AsynqException {

	public DuplicateTaskException(String message) {
		super(message);
	}

}
