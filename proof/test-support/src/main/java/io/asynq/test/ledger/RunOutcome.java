package io.asynq.test.ledger;

/**
 * How a handler ended; the outcome is not in Redis yet.
 */
public enum RunOutcome {

	OK,

	/** A failure with a retry. */
	FAILED,

	/** A failure without a retry: the task is archived. */
	SKIPPED,

	/** Interrupted by a shutdown, a deadline or a lost lease. */
	CANCELLED

}
