package io.asynq.inspect;

import io.asynq.AsynqException;
import io.asynq.Names;

/**
 * Refuses arguments that mean nothing.
 */
final class Arguments {

	private Arguments() {
	}

	static void requireText(String name, String value) {
		if (Names.isBlank(value)) {
			throw new AsynqException("Argument '" + name + "' must not be blank, but is '" + value + "'");
		}
	}

	static void requireValue(String name, Object value) {
		if (value == null) {
			throw new AsynqException("Argument '" + name + "' must not be null");
		}
	}

}
