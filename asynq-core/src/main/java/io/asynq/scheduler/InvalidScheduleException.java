package io.asynq.scheduler;

/**
 * Text that says no time. The message names the text, the part that is wrong and what
 * would be right.
 */
final class InvalidScheduleException extends Exception {

	InvalidScheduleException(String message) {
		super(message);
	}

}
