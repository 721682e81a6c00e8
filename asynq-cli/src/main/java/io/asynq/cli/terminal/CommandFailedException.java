package io.asynq.cli.terminal;

/**
 * What was asked for could not be done. Ends the program with 1.
 */
public final class CommandFailedException extends RuntimeException {

	public CommandFailedException(String message) {
		super(message);
	}

}
