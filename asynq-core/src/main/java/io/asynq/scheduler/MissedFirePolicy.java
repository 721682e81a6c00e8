package io.asynq.scheduler;

/**
 * What becomes of fires while no scheduler was there (asynq M14).
 */
public enum MissedFirePolicy {

	/** Nothing: the next fire comes at its time, as in Go. */
	SKIP,

	/**
	 * One task is enqueued for all of them, at most, however many schedulers come back.
	 * Needs a cluster-safe scheduler: the last fire is kept in Redis. A fire for which a
	 * method had nothing to enqueue is not missed.
	 */
	ONCE

}
