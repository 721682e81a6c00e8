package io.asynq.cli;

/** The command was not understood; nothing was done. Ends the program with 2. */
final class UsageException extends RuntimeException {

	UsageException(String message) {
		super(message);
	}

}
