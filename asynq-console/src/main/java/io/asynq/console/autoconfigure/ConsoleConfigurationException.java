package io.asynq.console.autoconfigure;

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
