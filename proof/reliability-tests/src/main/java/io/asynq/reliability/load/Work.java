package io.asynq.reliability.load;

import java.util.List;

/** What a handler does, as JSON in the payload, the same for workers of all kinds. */
public record Work(int number, int millis, List<Integer> fails, boolean skip) {

	/** The type of all tasks. */
	public static final String TYPE = "work";

	/**
	 * The type of tasks of which only {@link #LIMIT} may run at a time, on all workers.
	 */
	public static final String LIMITED = "limited";

	/** That number. */
	public static final int LIMIT = 2;

	public boolean failsAt(int attempt) {
		return this.fails.contains(attempt);
	}

}
