package io.asynq.broker;

/**
 * Data in Redis that makes no sense, and was dealt with.
 *
 * @param queue the queue
 * @param id the id, as far as it can be shown as text
 * @param kind what was wrong
 */
public record BrokenTask(String queue, String id, Kind kind) {

	/**
	 * What can be wrong. May grow.
	 */
	public enum Kind {

		/** The message cannot be decoded: archived, its bytes untouched. */
		UNDECODABLE,

		/** An id without a task: removed from where it stood. */
		MISSING,

		/** A task's key is not a hash: its id was removed from where it stood. */
		WRONG_TYPE,

		/**
		 * One of the queue's own keys has a type that asynq never gives it, and was left
		 * as it is: what belongs there waits until somebody renames or deletes the key,
		 * which is in place of the id. Counted whenever a loop comes across it.
		 */
		UNUSABLE_KEY

	}

}
