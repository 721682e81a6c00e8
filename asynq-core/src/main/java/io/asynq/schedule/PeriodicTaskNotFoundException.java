package io.asynq.schedule;

import io.asynq.AsynqException;

/**
 * The scheduler has no entry with this id.
 */
public class PeriodicTaskNotFoundException extends AsynqException {

	public PeriodicTaskNotFoundException(String message) {
		super(message);
	}

}
