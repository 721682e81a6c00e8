package io.asynq;

import org.jspecify.annotations.Nullable;

/**
 * Redis answered with an error, or with data that makes no sense.
 */
public class BrokerException extends AsynqException {

	public BrokerException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
