package io.asynq.inspect;

import io.asynq.AsynqException;
import io.asynq.gotext.GoText;

/**
 * Checks arguments of the inspector.
 */
final class Arguments {

	private Arguments() {
	}

	static void requireText(String name, String value) {
		if (GoText.isBlank(value)) {
			throw new AsynqException("Argument '" + name + "' must not be blank, but is '" + value + "'");
		}
	}

	static void requireValue(String name, Object value) {
		if (value == null) {
			throw new AsynqException("Argument '" + name + "' must not be null");
		}
	}

}
