package io.asynq.scheduler;

import java.util.List;

import io.asynq.AsynqException;

/**
 * Thrown for periodic tasks that are not valid. It reports all known mistakes at once.
 */
public class InvalidPeriodicTaskException extends AsynqException {

	private final List<String> problems;

	public InvalidPeriodicTaskException(List<String> problems) {
		super(String.join(System.lineSeparator(), problems));
		this.problems = List.copyOf(problems);
	}

	/**
	 * Returns the mistakes.
	 * @return one sentence each, which names the entry and the value and says what to do
	 */
	public List<String> problems() {
		return this.problems;
	}

}
