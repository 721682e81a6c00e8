package io.asynq;

/**
 * Another task holds the unique lock for this type, payload and queue. Nothing was
 * enqueued.
 */
public class DuplicateTaskException extends AsynqException {

	public DuplicateTaskException(String message) {
		super(message);
	}

}
