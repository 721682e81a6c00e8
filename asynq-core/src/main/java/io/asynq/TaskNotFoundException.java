package io.asynq;

/**
 * The queue has no task with this id.
 */
public class TaskNotFoundException extends AsynqException {

	public TaskNotFoundException(String queue, String id) {
		super("Task '" + id + "' does not exist in queue '" + queue + "': it was done, deleted or has expired");
	}

}
