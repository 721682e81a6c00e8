package io.asynq.annotation;

import java.util.List;

import io.asynq.AsynqException;

/**
 * Methods with {@link TaskAggregator}, or beans of type
 * {@link io.asynq.handler.GroupAggregator}, cannot work as they are. Tells all mistakes
 * at once.
 */
public class InvalidTaskAggregatorException extends AsynqException {

	private final List<String> problems;

	public InvalidTaskAggregatorException(List<String> problems) {
		super(String.join(System.lineSeparator(), problems));
		this.problems = List.copyOf(problems);
	}

	/**
	 * Returns what is wrong.
	 * @return one sentence per mistake, naming the method, methods or beans
	 */
	public List<String> problems() {
		return this.problems;
	}

}
