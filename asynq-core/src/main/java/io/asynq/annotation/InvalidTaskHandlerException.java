package io.asynq.annotation;

import java.util.List;

import io.asynq.AsynqException;

/**
 * Methods with {@link TaskHandler} cannot work as they are. Tells all mistakes at once.
 */
public class InvalidTaskHandlerException extends AsynqException {

	private final List<String> problems;

	public InvalidTaskHandlerException(List<String> problems) {
		super(String.join(System.lineSeparator(), problems));
		this.problems = List.copyOf(problems);
	}

	/**
	 * Returns what is wrong.
	 * @return one sentence per mistake, naming the method or methods
	 */
	public List<String> problems() {
		return this.problems;
	}

}
