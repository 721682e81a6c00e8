package io.asynq.test.ledger;

import java.time.Instant;

/**
 * @param detail what the task does, or the error
 */
public record Enqueued(Instant time, TaskKey task, Answer answer, int maxRetry, String detail) {

	public enum Answer {

		/** The task is in Redis and must not be lost. */
		ACKNOWLEDGED,

		/** The task is not in Redis because it is a duplicate or its id is taken. */
		REFUSED,

		/** An error: the task may or may not be in Redis. */
		UNKNOWN

	}

}
