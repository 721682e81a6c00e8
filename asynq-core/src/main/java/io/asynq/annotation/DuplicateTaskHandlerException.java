package io.asynq.annotation;

import java.util.List;

/**
 * A type of task has more than one handler, and nothing else is wrong.
 */
public class DuplicateTaskHandlerException extends InvalidTaskHandlerException {

	public DuplicateTaskHandlerException(List<String> problems) {
		super(problems);
	}

}
