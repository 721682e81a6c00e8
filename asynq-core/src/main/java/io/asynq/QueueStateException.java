package io.asynq;

/**
 * The queue is already paused, or is not paused.
 */
public class QueueStateException extends AsynqException {

	public QueueStateException(String message) {
		super(message);
	}

}
