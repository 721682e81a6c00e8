package io.asynq.cli;

/** What was asked for could not be done. Ends the program with 1. */
final class CommandFailedException extends RuntimeException {

	CommandFailedException(String message) {
		super(message);
	}

}
