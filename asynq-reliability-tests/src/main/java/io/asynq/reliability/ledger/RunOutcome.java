package io.asynq.reliability.ledger;

/**
 * How a handler ended, which is not yet in Redis at that moment.
 */
public enum RunOutcome {

	/** Success. */
	OK,

	/** A failure that is to be retried. */
	FAILED,

	/** A failure that must not be retried: the task is to be archived. */
	SKIPPED,

	/** Cut short from outside: by a shutdown, a deadline, a lost lease. */
	CANCELLED

}
