package io.asynq;

/**
 * There is no task of this id in this queue.
 */
public class TaskNotFoundException extends AsynqException {

	public TaskNotFoundException(String queue, String id) {
		super("Task '" + id + "' does not exist in queue '" + queue + "': it was done, deleted or has expired");
	}

}
