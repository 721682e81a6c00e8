package io.asynq.annotation;

import java.util.List;

import io.asynq.AsynqException;

/**
 * Thrown for {@link TaskAggregator} methods and
 * {@link io.asynq.handler.TaskAggregatorFunction} beans that are not valid. It reports
 * all mistakes at once.
 */
public class InvalidTaskAggregatorException extends AsynqException {

	private final List<String> problems;

	public InvalidTaskAggregatorException(List<String> problems) {
		super(String.join(System.lineSeparator(), problems));
		this.problems = List.copyOf(problems);
	}

	/**
	 * Returns the mistakes.
	 * @return one sentence each, which names the methods or beans
	 */
	public List<String> problems() {
		return this.problems;
	}

}
