package io.asynq.reliability.ledger;

import java.time.Instant;

/**
 * What a producer was told about one task.
 *
 * @param time when it was told
 * @param task the task
 * @param answer the answer
 * @param maxRetry retries it may have
 * @param detail what the task is to do, or the error
 */
public record Enqueued(Instant time, TaskKey task, Answer answer, int maxRetry, String detail) {

	/**
	 * How an enqueue ended for the producer.
	 */
	public enum Answer {

		/** The task is in Redis: from now on it must not be lost. */
		ACKNOWLEDGED,

		/** The task is not in Redis, for a good reason: a duplicate, a taken id. */
		REFUSED,

		/** An error: the task may be in Redis or not. */
		UNKNOWN

	}

}
