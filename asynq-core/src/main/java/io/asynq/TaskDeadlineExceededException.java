package io.asynq;

/**
 * The attempt did not end by its deadline (asynq H10).
 */
public class TaskDeadlineExceededException extends AsynqException {

	public TaskDeadlineExceededException() {
		super("context deadline exceeded");
	}

}
