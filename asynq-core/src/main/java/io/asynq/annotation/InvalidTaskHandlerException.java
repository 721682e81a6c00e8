package io.asynq.annotation;

import java.util.List;

import io.asynq.AsynqException;

/**
 * Thrown for {@link TaskHandler} methods that are not valid. It reports all mistakes at
 * once.
 */
public class InvalidTaskHandlerException extends AsynqException {

	private final List<String> problems;

	public InvalidTaskHandlerException(List<String> problems) {
		super(String.join(System.lineSeparator(), problems));
		this.problems = List.copyOf(problems);
	}

	/**
	 * Returns the mistakes.
	 * @return one sentence each, which names the methods
	 */
	public List<String> problems() {
		return this.problems;
	}

}
