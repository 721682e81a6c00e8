package io.asynq.reliability.load;

import java.util.Random;

/**
 * The kinds of tasks in a mixed load.
 */
enum TaskKind {

	/** Done within 5 ms. */
	SHORT(550),

	/** Works for seconds; some fail when they are taken up again. */
	LONG(0),

	/** Works for seconds; only so many may do so at once. */
	LIMITED(0),

	/** Due in 1 to 5 seconds. */
	SCHEDULED(80),

	/** Holds a lock; now and then another one wants the same. */
	UNIQUE(80),

	/** Fails one to three times. */
	RETRYING(80),

	/** Is kept after its success. */
	RETAINED(70),

	/** Fails more often than it may be retried. */
	EXHAUSTED(20),

	/** Fails for good at once. */
	SKIPPED(20),

	/** Waits in a group to become another task with others. */
	GROUPED(75),

	/** As that, and holds a lock; now and then another one wants the same. */
	GROUPED_UNIQUE(25);

	private static final int TOTAL = 1000;

	private final int share;

	TaskKind(int share) {
		this.share = share;
	}

	/**
	 * Returns whether tasks of this kind never run by themselves.
	 * @return whether they join a group
	 */
	boolean isGrouped() {
		return this == GROUPED || this == GROUPED_UNIQUE;
	}

	/**
	 * Draws a kind.
	 * @param random where from
	 * @param longTasks how many of a thousand tasks are long
	 * @return the kind
	 */
	static TaskKind draw(Random random, int longTasks) {
		if (random.nextInt(TOTAL) < longTasks) {
			return LONG;
		}
		int left = random.nextInt(TOTAL);
		for (TaskKind kind : values()) {
			left -= kind.share;
			if (left < 0) {
				return kind;
			}
		}
		throw new IllegalStateException("Shares must add up to " + TOTAL);
	}

}
