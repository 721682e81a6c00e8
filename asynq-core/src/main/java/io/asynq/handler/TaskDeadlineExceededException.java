package io.asynq.handler;

import io.asynq.AsynqException;

/**
 * The attempt did not end by its deadline.
 */
public class TaskDeadlineExceededException extends AsynqException {

	public TaskDeadlineExceededException() {
		super("context deadline exceeded");
	}

}
