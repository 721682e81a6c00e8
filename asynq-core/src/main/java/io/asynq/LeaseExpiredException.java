package io.asynq;

/**
 * The server lost its lease on the task; another server may be working on it (asynq H12).
 */
public class LeaseExpiredException extends AsynqException {

	public LeaseExpiredException() {
		super("asynq: task lease expired");
	}

}
