package io.asynq.internal.redis;

import io.asynq.BrokerException;

/** Redis refused the user or the password, or wants some; nothing was done. */
public final class LoginRefusedException extends BrokerException {

	public LoginRefusedException(String message, Throwable cause) {
		super(message, cause);
	}

}
