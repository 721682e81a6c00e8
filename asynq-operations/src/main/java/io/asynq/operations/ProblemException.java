package io.asynq.operations;

import io.asynq.AsynqException;

public class ProblemException extends AsynqException {

	private final int status;

	private final String code;

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
