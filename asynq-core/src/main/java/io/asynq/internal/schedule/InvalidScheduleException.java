package io.asynq.internal.schedule;

/**
 * The message names the wrong part and says what is allowed.
 */
public final class InvalidScheduleException extends Exception {

	InvalidScheduleException(String message) {
		super(message);
	}

}
