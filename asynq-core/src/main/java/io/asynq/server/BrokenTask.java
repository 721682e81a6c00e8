package io.asynq.server;

/**
 * Invalid data in Redis that was dealt with.
 *
 * @param queue the queue in which it was found
 * @param id the id, as far as it is valid text
 * @param kind what was wrong
 */
public record BrokenTask(String queue, String id, Kind kind) {

	/** What can be wrong. May grow. */
	public enum Kind {

		/** The message cannot be decoded. It was archived unchanged. */
		UNDECODABLE,

		/** An id without a task. The id was removed from its container. */
		MISSING,

		/** A task's key is not a hash. The id was removed from its container. */
		WRONG_TYPE,

		/**
		 * One of the queue's own keys has a type that asynq never gives it; the key takes
		 * the place of the id. It is left as it is and counted each time it is found: its
		 * tasks wait until somebody renames or deletes it.
		 */
		UNUSABLE_KEY

	}

}
