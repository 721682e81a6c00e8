package io.asynq.scheduler;

import io.asynq.AsynqException;

/**
 * A scheduler has no entry of this id (asynq M04).
 */
public class PeriodicTaskNotFoundException extends AsynqException {

	public PeriodicTaskNotFoundException(String message) {
		super(message);
	}

}
