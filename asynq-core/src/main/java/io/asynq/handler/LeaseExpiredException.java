package io.asynq.handler;

import io.asynq.AsynqException;

/**
 * The server lost its lease on the task; another server may be working on it.
 */
public class LeaseExpiredException extends AsynqException {

	public LeaseExpiredException() {
		super("asynq: task lease expired");
	}

}
