package io.asynq.limit;

import org.jspecify.annotations.Nullable;

/**
 * A limit over all Java servers of a Redis. Handlers and queues refer to it by its name.
 *
 * @param concurrent how many tasks may run at the same time, 0 for any number
 * @param rate how many may start in some time, {@code null} for any number
 * @param key tells the key of a task, each of which has its own tokens; {@code null} if
 * all tasks share them
 */
public record TaskLimit(int concurrent, @Nullable LimitRate rate, @Nullable LimitKey key) {

	public TaskLimit {
		if (concurrent < 0) {
			throw new IllegalArgumentException("concurrent must not be negative, but is " + concurrent);
		}
		if (concurrent == 0 && rate == null) {
			throw new IllegalArgumentException("a limit needs 'concurrent', at least 1, or 'rate'");
		}
	}

	/**
	 * Limits how many tasks may run at the same time, at least 1.
	 */
	public static TaskLimit concurrent(int concurrent) {
		return new TaskLimit(concurrent, null, null);
	}

	/**
	 * Limits how many tasks may start in some time.
	 */
	public static TaskLimit rate(LimitRate rate) {
		return new TaskLimit(0, rate, null);
	}

	/**
	 * Returns a limit with the same numbers whose keys have their own tokens.
	 */
	public TaskLimit by(LimitKey key) {
		return new TaskLimit(this.concurrent, this.rate, key);
	}

}
