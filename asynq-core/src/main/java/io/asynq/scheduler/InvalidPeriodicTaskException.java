package io.asynq.scheduler;

import java.util.List;

import io.asynq.AsynqException;

/**
 * Periodic tasks cannot work as they are. Tells all mistakes that are known at once.
 */
public class InvalidPeriodicTaskException extends AsynqException {

	private final List<String> problems;

	public InvalidPeriodicTaskException(List<String> problems) {
		super(String.join(System.lineSeparator(), problems));
		this.problems = List.copyOf(problems);
	}

	/**
	 * Returns what is wrong.
	 * @return one sentence per mistake, naming the entry, the value and the way out
	 */
	public List<String> problems() {
		return this.problems;
	}

}
