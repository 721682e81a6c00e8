package io.asynq.reliability.load;

import java.util.List;

/**
 * What a handler is to do, as JSON in the payload, so that workers of all kinds do the
 * same.
 *
 * @param number makes payloads differ, so that only those meant to be duplicates are
 * @param millis how long to work, ms
 * @param fails the attempts that fail, counted by the retries before them
 * @param skip whether to fail in a way that must not be retried
 */
public record Work(int number, int millis, List<Integer> fails, boolean skip) {

	/** The type of all tasks. */
	public static final String TYPE = "work";

	/** The type of tasks of which only so many may run at once, on all workers. */
	public static final String LIMITED = "limited";

	/** How many. */
	public static final int LIMIT = 2;

	public boolean failsAt(int attempt) {
		return this.fails.contains(attempt);
	}

}
