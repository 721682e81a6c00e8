package io.asynq.console.http;

import io.asynq.AsynqException;

/**
 * A call cannot be answered, and the caller is told why by a problem document.
 */
public final class ConsoleException extends AsynqException {

	private final int status;

	private final String code;

	/**
	 * @param status the HTTP status
	 * @param code what the front end knows the problem by, such as {@code filter}
	 * @param detail what is wrong, and what to do
	 */
	public ConsoleException(int status, String code, String detail) {
		super(detail);
		this.status = status;
		this.code = code;
	}

	int status() {
		return this.status;
	}

	String code() {
		return this.code;
	}

}
