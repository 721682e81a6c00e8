package io.asynq.reliability.ledger;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * One call of a handler.
 *
 * @param task the task
 * @param attempt how many retries came before it
 * @param worker the name of the worker
 * @param start when the handler was called
 * @param end when it came back, {@code null} if it never did
 * @param outcome how, {@code null} if it never did
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
