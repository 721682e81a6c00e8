package io.asynq.internal.worker;

/**
 * @param resent whether it was sent before and may have taken effect
 */
public record PendingOutcome(Attempt attempt, Outcome outcome, boolean resent) {

	PendingOutcome sentOnce() {
		return this.resent ? this : new PendingOutcome(this.attempt, this.outcome, true);
	}

	/** Was not written, and is archived instead. */
	PendingOutcome overdue() {
		return new PendingOutcome(this.attempt, ((Outcome.Unhandled) this.outcome).overdue(), this.resent);
	}

	/** A cancelled task has another outcome than the one that was sent. */
	PendingOutcome applied(OutcomeResult result) {
		Outcome applied = result.applied(this.outcome);
		return (applied == this.outcome) ? this : new PendingOutcome(this.attempt, applied, this.resent);
	}

}
