package io.asynq.cli.terminal;

/**
 * The command was not understood; nothing was done. Ends the program with 2.
 */
public final class UsageException extends RuntimeException {

	public UsageException(String message) {
		super(message);
	}

}
