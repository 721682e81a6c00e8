package io.asynq.event;

import java.util.Locale;

/**
 * How what is observed has ended: the key {@code outcome}. If Redis later does not take
 * the outcome of an attempt, the value stays.
 */
public enum TaskOutcome {

	/** Stored, processed or aggregated. */
	SUCCEEDED,

	/** Not stored: refused, or Redis could not be reached. Of enqueues only. */
	FAILED,

	/** Not stored, because another scheduler has. Of enqueues only. */
	SKIPPED,

	/** The attempt has failed and the task is retried; the group is aggregated again. */
	RETRIED,

	/**
	 * The task is archived, whatever ended its attempt; the aggregator has rejected all
	 * members.
	 */
	ARCHIVED,

	/** The handler has thrown {@link io.asynq.handler.RevokeTaskException}. */
	REVOKED,

	/**
	 * The task could not be processed yet and waits: it had no token, the handler has
	 * thrown {@link io.asynq.handler.PostponeTaskException}, the server has no handler
	 * for it, or shutdowns have interrupted it too often.
	 */
	POSTPONED,

	/** A shutdown has put the task back to its queue, or the members to their group. */
	REQUEUED,

	/** Somebody has cancelled the attempt; the task is retried. */
	CANCELLED,

	/**
	 * The attempt was over its deadline, and the task is retried; the aggregator has
	 * taken too long.
	 */
	DEADLINE,

	/** The server has lost its lease while the handler was running. */
	LEASE_LOST;

	private final String value = name().toLowerCase(Locale.ROOT).replace('_', '-');

	/** Returns the value of the key: lower case, with hyphens. */
	public String value() {
		return this.value;
	}

}
