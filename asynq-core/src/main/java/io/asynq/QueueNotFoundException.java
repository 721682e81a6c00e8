package io.asynq;

/**
 * There is no queue with this name.
 */
public class QueueNotFoundException extends AsynqException {

	public QueueNotFoundException(String queue) {
		super("Queue '" + queue + "' does not exist: nothing was ever enqueued to it, or it was deleted");
	}

}
