package io.asynq.console.autoconfigure;

/**
 * The console is configured so that it could not work, or would be open.
 */
final class ConsoleConfigurationException extends RuntimeException {

	private final String action;

	ConsoleConfigurationException(String description, String action) {
		super(description);
		this.action = action;
	}

	String action() {
		return this.action;
	}

}
