package io.asynq.handler;

import io.asynq.AsynqException;

/**
 * The attempt was cancelled by the id of its task.
 */
public class TaskCanceledException extends AsynqException {

	public TaskCanceledException() {
		super("context canceled");
	}

}
