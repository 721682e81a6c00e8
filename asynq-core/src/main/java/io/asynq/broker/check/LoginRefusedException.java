package io.asynq.broker.check;

import io.asynq.BrokerException;

/**
 * Redis has refused the user or the password, or wants some. Nothing was done, and
 * nothing can be done until the credentials are changed here or there.
 */
public final class LoginRefusedException extends BrokerException {

	public LoginRefusedException(String message, Throwable cause) {
		super(message, cause);
	}

}
