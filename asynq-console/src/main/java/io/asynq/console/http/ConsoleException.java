package io.asynq.console.http;

import io.asynq.operate.ProblemException;

/**
 * A call cannot be answered, and the caller is told why by a problem document.
 */
public final class ConsoleException extends ProblemException {

	/**
	 * @param status the HTTP status
	 * @param code what the front end knows the problem by, such as {@code filter}
	 * @param detail what is wrong, and what to do
	 */
	public ConsoleException(int status, String code, String detail) {
		super(status, code, detail);
	}

}
