package io.asynq;

/**
 * The queue has a task with this id already, in any state (asynq C12).
 */
public class TaskIdConflictException extends AsynqException {

	public TaskIdConflictException(String message) {
		super(message);
	}

}
