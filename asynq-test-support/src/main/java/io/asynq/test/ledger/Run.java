package io.asynq.test.ledger;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * One call of a handler.
 *
 * @param attempt how many retries came before it
 * @param start when the handler started
 * @param end when it ended, {@code null} if it never did
 * @param outcome how it ended, {@code null} if it never did
 */
public record Run(TaskKey task, int attempt, String worker, Instant start, @Nullable Instant end,
		@Nullable RunOutcome outcome) {

	public boolean ended(RunOutcome outcome) {
		return this.outcome == outcome;
	}

	@Override
	public String toString() {
		return "attempt " + this.attempt + " on " + this.worker + " from " + this.start
				+ ((this.end != null) ? " to " + this.end + ": " + this.outcome : ", no end");
	}

}
