package io.asynq.operate;

import io.asynq.AsynqException;

/**
 * A call of an operator is refused for a reason of its own; {@link Problem} tells it.
 */
public class ProblemException extends AsynqException {

	private final int status;

	private final String code;

	/**
	 * @param status the HTTP status
	 * @param code what programs know the problem by, such as {@code not-found}
	 * @param detail what is wrong, and what to do
	 */
	public ProblemException(int status, String code, String detail) {
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
