package io.asynq;

import org.jspecify.annotations.Nullable;

/**
 * Redis answered with an error or with invalid data, or did not answer
 * ({@link BrokerUnavailableException}).
 */
public class BrokerException extends AsynqException {

	public BrokerException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
