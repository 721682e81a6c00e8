package io.asynq.spring.boot.autoconfigure.endpoint;

import java.util.Collection;

import io.asynq.operations.ProblemException;

final class UnknownPathException extends ProblemException {

	UnknownPathException(String path, Collection<String> known) {
		super(404, "not-found", "There is no '" + path + "' here, but " + known);
	}

}
