package io.asynq;

/**
 * The queue is paused already, or is not paused at all (asynq O17).
 */
public class QueueStateException extends AsynqException {

	public QueueStateException(String message) {
		super(message);
	}

}
