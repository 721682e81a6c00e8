package io.asynq.broker;

/**
 * Something in Redis that cannot be left behind by tasks that are handled properly.
 *
 * @param kind what it is
 * @param queue the queue
 * @param id the id of a task; the name of a group or lock; or what follows the prefix of
 * the queue's keys
 * @param detail where, for people
 * @param place the container or staged set that is meant, empty where the kind needs none
 */
public record Inconsistency(Kind kind, String queue, String id, String detail, String place) {

	/**
	 * What can be wrong, and how it is mended. No mending deletes a task or counts one.
	 */
	public enum Kind {

		/** The queue has keys but is not listed: it is listed. */
		QUEUE_NOT_LISTED,

		/** A key has a type that nobody can use: it is renamed. */
		WRONG_TYPE,

		/** An id stands somewhere, but there is no such task: the id goes. */
		ID_WITHOUT_TASK,

		/**
		 * A task stands nowhere, so nobody ever takes it: it goes where its state says,
		 * due at once, or to the archive if it has no state. A hash with neither state
		 * nor message is no task, and goes. Nothing is done while tasks of the queue are
		 * still to be deleted with it.
		 */
		TASK_WITHOUT_CONTAINER,

		/** A task stands elsewhere than it says: its state is corrected. */
		WRONG_STATE,

		/** A task stands in several places: it stays where its state says. */
		IN_TWO_CONTAINERS,

		/** A list has an id more than once: the newer entries go. */
		DOUBLE_ENTRY,

		/**
		 * An active task has no lease, so Go never recovers it: it gets one that has
		 * ended.
		 */
		ACTIVE_WITHOUT_LEASE,

		/** A task that is not active has a lease: the lease goes. */
		LEASE_WITHOUT_ACTIVE,

		/** A score is no whole number, which Go's lists fail on: it is cut. */
		FRACTIONAL_SCORE,

		/** A message cannot be decoded: the task is archived, its bytes untouched. */
		UNDECODABLE,

		/**
		 * A group has tasks but is not listed, so it is never aggregated: it is listed.
		 */
		GROUP_NOT_LISTED,

		/** A group is listed but has no task: its name goes. */
		GROUP_WITHOUT_TASKS,

		/** Tasks were staged for an aggregation that nobody knows of: they go back. */
		STAGED_SET_FORGOTTEN,

		/** A unique lock is held by a task that is gone: it is released. */
		LOCK_WITHOUT_TASK

	}

}
