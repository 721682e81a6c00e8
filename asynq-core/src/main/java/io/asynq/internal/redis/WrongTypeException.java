package io.asynq.internal.redis;

import io.asynq.BrokerException;

/** Something else uses the key; nothing was done. */
public final class WrongTypeException extends BrokerException {

	private final String key;

	WrongTypeException(String key, String script, String subject, Throwable cause) {
		super("Redis refused " + script + " for " + subject + ": key '" + key
				+ "' has the wrong type, so something else uses it; rename or delete it", cause);
		this.key = key;
	}

	public String key() {
		return this.key;
	}

}
