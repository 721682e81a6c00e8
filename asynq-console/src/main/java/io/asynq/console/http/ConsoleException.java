package io.asynq.console.http;

import io.asynq.operations.ProblemException;

public final class ConsoleException extends ProblemException {

	public ConsoleException(int status, String code, String detail) {
		super(status, code, detail);
	}

}
