package io.asynq.annotation;

import java.util.List;

import io.asynq.AsynqException;

/**
 * Reports all mistakes of {@link TaskHandler} methods at once.
 */
public class InvalidTaskHandlerException extends AsynqException {

	private final List<String> problems;

	public InvalidTaskHandlerException(List<String> problems) {
		super(String.join(System.lineSeparator(), problems));
		this.problems = List.copyOf(problems);
	}

	/**
	 * Returns one sentence for each mistake, which names the methods.
	 */
	public List<String> problems() {
		return this.problems;
	}

}
