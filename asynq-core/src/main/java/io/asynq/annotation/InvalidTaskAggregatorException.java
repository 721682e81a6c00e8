package io.asynq.annotation;

import java.util.List;

import io.asynq.AsynqException;

/**
 * Reports all mistakes of {@link TaskAggregator} methods and
 * {@link io.asynq.handler.TaskAggregatorFunction} beans at once.
 */
public class InvalidTaskAggregatorException extends AsynqException {

	private final List<String> problems;

	public InvalidTaskAggregatorException(List<String> problems) {
		super(String.join(System.lineSeparator(), problems));
		this.problems = List.copyOf(problems);
	}

	/**
	 * Returns one sentence for each mistake, which names the methods or beans.
	 */
	public List<String> problems() {
		return this.problems;
	}

}
