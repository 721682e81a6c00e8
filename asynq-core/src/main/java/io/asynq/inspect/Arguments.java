package io.asynq.inspect;

import io.asynq.AsynqException;

/**
 * Refuses arguments that mean nothing.
 */
final class Arguments {

	private Arguments() {
	}

	static void requireText(String name, String value) {
		if (value == null || value.isBlank()) {
			throw new AsynqException("Argument '" + name + "' must not be blank, but is '" + value + "'");
		}
	}

	static void requireValue(String name, Object value) {
		if (value == null) {
			throw new AsynqException("Argument '" + name + "' must not be null");
		}
	}

}
