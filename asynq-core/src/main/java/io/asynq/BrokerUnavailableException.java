package io.asynq;

import org.jspecify.annotations.Nullable;

/**
 * Redis could not be reached or did not answer in time; the call may or may not have
 * taken effect.
 */
public class BrokerUnavailableException extends BrokerException {

	public BrokerUnavailableException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
