package io.asynq.broker;

/**
 * What became of a task that a group was turned into.
 */
public enum AggregationStatus {

	/** Stored, and the tasks of the group are gone. */
	ENQUEUED,

	/** Not stored: the tasks have gone back to the group, because the set expired. */
	EXPIRED,

	/** Not stored: there is a task with its id. */
	ID_CONFLICT,

	/** Not stored: another task holds its unique lock. */
	DUPLICATE

}
