package io.asynq.operations.repair;

/**
 * Data in Redis that contradicts itself. Asynq does not leave it behind by itself.
 *
 * @param id the id of a task; the name of a group or lock; or what follows the prefix of
 * the queue's keys
 * @param detail where it was found, for people
 * @param place the container or staged set concerned, empty if the kind needs none
 */
public record Inconsistency(Kind kind, String queue, String id, String detail, String place) {

	/** What can be wrong and how it is repaired. No repair deletes or counts a task. */
	public enum Kind {

		/** The queue has keys but is not listed: it is listed. */
		QUEUE_NOT_LISTED,

		/** A key has an unusable type: it is renamed. */
		WRONG_TYPE,

		/** A container has an id without a task: the id is removed. */
		ID_WITHOUT_TASK,

		/**
		 * A task is in no container, so no server ever takes it: it goes to the container
		 * of its state, due at once, or to the archive if it has no state. A hash with
		 * neither state nor message is not a task and is deleted. Nothing is done while a
		 * deletion of the queue is unfinished.
		 */
		TASK_WITHOUT_CONTAINER,

		/** A task is in the container of another state: its state is corrected. */
		WRONG_STATE,

		/** A task is in several containers: it stays in that of its state. */
		IN_TWO_CONTAINERS,

		/** A list has an id more than once: the newer entries are removed. */
		DOUBLE_ENTRY,

		/**
		 * An active task has no lease, so Go never recovers it: it gets one that has
		 * already ended.
		 */
		ACTIVE_WITHOUT_LEASE,

		/** A task that is not active has a lease: the lease is removed. */
		LEASE_WITHOUT_ACTIVE,

		/** A score is not a whole number, on which Go's lists fail: it is truncated. */
		FRACTIONAL_SCORE,

		/** A message cannot be decoded: the task is archived, its bytes untouched. */
		UNDECODABLE,

		/**
		 * A group has tasks but is not listed, so it is never aggregated: it is listed.
		 */
		GROUP_NOT_LISTED,

		/** A group is listed but has no tasks: its name is removed. */
		GROUP_WITHOUT_TASKS,

		/**
		 * Tasks are staged for an aggregation that does not exist any more: they go back
		 * to their group.
		 */
		STAGED_SET_FORGOTTEN,

		/** A unique lock belongs to a task that is gone: it is released. */
		LOCK_WITHOUT_TASK

	}

}
