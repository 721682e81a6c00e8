package io.asynq.reliability.load;

import java.util.Random;

/** The kinds of tasks in a mixed load. */
enum TaskKind {

	/** Done within 5 ms. */
	SHORT(550),

	/** Runs for seconds; some fail when they are attempted again. */
	LONG(0),

	/** Runs for seconds; only a limited number may run at a time. */
	LIMITED(0),

	/** Due in 1 to 5 seconds. */
	SCHEDULED(80),

	/** Holds a lock; now and then another task wants the same. */
	UNIQUE(80),

	/** Fails one to three times. */
	RETRYING(80),

	/** Has a retention. */
	RETAINED(70),

	/** Fails more often than it may be retried. */
	EXHAUSTED(20),

	/** Fails permanently at once. */
	SKIPPED(20),

	/** Waits in a group to be aggregated. */
	GROUPED(75),

	/** Waits in a group and holds a lock; now and then another task wants the same. */
	GROUPED_UNIQUE(25);

	private static final int TOTAL = 1000;

	private final int share;

	TaskKind(int share) {
		this.share = share;
	}

	boolean isGrouped() {
		return this == GROUPED || this == GROUPED_UNIQUE;
	}

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
