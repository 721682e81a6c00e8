package io.asynq;

/**
 * The attempt was cancelled by id (asynq H10, O16).
 */
public class TaskCanceledException extends AsynqException {

	public TaskCanceledException() {
		super("context canceled");
	}

}
