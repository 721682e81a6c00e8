package io.asynq.broker.work;

import java.time.Instant;
import java.util.Collection;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Looks at many queues at once for something to do, so that queues without work cost next
 * to nothing. Changes nothing. A queue with invalid keys has work, so that whoever does
 * it finds them. Safe for concurrent use.
 */
public interface WorkFinder {

	/**
	 * Looks at queues.
	 * @param queues their names; all must be on one Redis
	 */
	Found find(Kind kind, Collection<String> queues);

	/** What there may be to do in a queue. */
	enum Kind {

		/** Scheduled and retry tasks that become due, or tasks that were cancelled. */
		FORWARD,

		/** Active tasks, which may have lost their lease. */
		RECOVER,

		/** Like {@link #RECOVER}, or what aggregations may have left behind. */
		RECOVER_AND_SWEEP,

		/** Completed tasks whose retention ends, or an interrupted deletion. */
		CLEAN,

		/** Groups. */
		AGGREGATE,

		/** Tasks that wait for a handler. */
		UNHANDLED,

		/** Tasks that wait for tokens of limits. */
		LIMITS

	}

	/**
	 * What was found.
	 *
	 * @param next when there will be work, by queue; without those that have none
	 * @param now the present by Redis's clock, which due times go by
	 * @param sentNanos the nano time before the request
	 * @param receivedNanos the nano time after the answer
	 */
	record Found(Map<String, Instant> next, Instant now, long sentNanos, long receivedNanos) {

		/**
		 * Returns whether there is work in a queue now.
		 */
		public boolean isDue(String queue) {
			Instant due = this.next.get(queue);
			return due != null && !due.isAfter(this.now);
		}

		/**
		 * Returns when there will be work in a queue, as far as is known.
		 */
		public @Nullable Instant next(String queue) {
			return this.next.get(queue);
		}

	}

}
