package io.asynq.test.ledger;

/**
 * Which repeated runs of a task a fault explains.
 */
public enum Explains {

	/** None: the fault must not repeat any task. */
	NOTHING,

	/** Runs of the same attempt, after a graceful shutdown has requeued it. */
	REQUEUED,

	/** Runs after one whose handler did not finish. */
	UNFINISHED,

	/** Runs after one that was delayed, or whose outcome may not have been written. */
	ANY

}
