package io.asynq.schedule;

/**
 * What becomes of fires that were missed because no scheduler ran.
 */
public enum MissedFirePolicy {

	/** They are skipped, as in Go: the entry fires again at its next time. */
	SKIP,

	/**
	 * At most one task is enqueued for all of them, even if several schedulers come back.
	 * Needs a cluster-safe scheduler, because no other keeps the last fire in Redis. A
	 * fire for which a method returned {@code null} does not count as missed.
	 */
	ONCE

}
