package io.asynq.test.ledger;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A call of a handler, without end and outcome if it never ended.
 *
 * @param attempt how many retries came before it
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
