package io.asynq.server;

import io.asynq.broker.Outcome;

/**
 * An outcome that Redis has not taken yet.
 *
 * @param attempt whose it is
 * @param outcome what to write
 * @param resent whether it was sent before, and may have taken effect
 */
record PendingOutcome(Attempt attempt, Outcome outcome, boolean resent) {

	PendingOutcome sentOnce() {
		return this.resent ? this : new PendingOutcome(this.attempt, this.outcome, true);
	}

}
