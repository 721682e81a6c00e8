package io.asynq.schedule;

import java.util.List;

import io.asynq.AsynqException;

/**
 * A periodic task is not valid; all known mistakes are reported at once.
 */
public class InvalidPeriodicTaskException extends AsynqException {

	private final List<String> problems;

	public InvalidPeriodicTaskException(List<String> problems) {
		super(String.join(System.lineSeparator(), problems));
		this.problems = List.copyOf(problems);
	}

	/**
	 * Returns a sentence per mistake, which names entry and value and says what to do.
	 */
	public List<String> problems() {
		return this.problems;
	}

}
