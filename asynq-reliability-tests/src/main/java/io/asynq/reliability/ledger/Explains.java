package io.asynq.reliability.ledger;

/**
 * Which further runs of a task a fault explains.
 */
public enum Explains {

	/** None: what was done must not make anything run twice. */
	NOTHING,

	/** Runs of the same attempt, after one that an orderly shutdown has handed back. */
	REQUEUED,

	/** Runs after one whose handler did not come to its end. */
	UNFINISHED,

	/** Runs after one that was not over for a while, or whose end may not be written. */
	ANY

}
