package io.asynq.operations.survey;

import io.asynq.AsynqException;

/**
 * The message says what is wrong, and what may be written instead.
 */
public final class TaskFilterException extends AsynqException {

	TaskFilterException(String message) {
		super(message);
	}

}
