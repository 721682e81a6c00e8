package io.asynq.annotation;

import java.util.List;

/**
 * Thrown if task types have more than one handler and nothing else is wrong.
 */
public class DuplicateTaskHandlerException extends InvalidTaskHandlerException {

	public DuplicateTaskHandlerException(List<String> problems) {
		super(problems);
	}

}
