package io.asynq.internal.lane;

import java.time.Instant;
import java.util.Collection;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Queues without work must cost next to nothing; one with invalid keys has work, so that
 * whoever does it finds them.
 */
public interface WorkFinder {

	/** All queues must be on one Redis. */
	Found find(Kind kind, Collection<String> queues);

	enum Kind {

		/** Also tasks that were cancelled. */
		FORWARD,

		/** Active tasks, which may have lost their lease. */
		RECOVER,

		/** Also what aggregations may have left behind. */
		RECOVER_AND_SWEEP,

		/** Also interrupted deletions. */
		CLEAN,

		AGGREGATE,

		UNHANDLED,

		LIMITS

	}

	/** {@code now} is by Redis's clock, which due times go by. */
	record Found(Map<String, Instant> next, Instant now, long sentNanos, long receivedNanos) {

		public boolean isDue(String queue) {
			Instant due = this.next.get(queue);
			return due != null && !due.isAfter(this.now);
		}

		public @Nullable Instant next(String queue) {
			return this.next.get(queue);
		}

	}

}
