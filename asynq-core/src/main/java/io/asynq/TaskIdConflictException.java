package io.asynq;

/**
 * The queue already has a task with this id, in any state. Nothing was enqueued.
 */
public class TaskIdConflictException extends AsynqException {

	public TaskIdConflictException(String message) {
		super(message);
	}

}
