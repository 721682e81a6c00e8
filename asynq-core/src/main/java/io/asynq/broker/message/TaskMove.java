package io.asynq.broker.message;

import io.asynq.TaskState;
import org.jspecify.annotations.Nullable;

/**
 * How a task is moved on request.
 */
public enum TaskMove {

	/** To pending, at the back of its queue. */
	RUN,

	/** To pending, at the back of its queue, with all its retries again. */
	RUN_FRESH,

	/** To the archive, within its usual limits. */
	ARCHIVE,

	/** Deleted, with its unique lock. */
	DELETE;

	/**
	 * What became of one task that was to be moved or changed.
	 *
	 * @param status see {@link Status}
	 * @param state the state in the task's hash; {@code null} if there is no task or no
	 * state
	 */
	public record Result(Status status, @Nullable TaskState state) {

		/**
		 * Kinds of results; nothing was changed but for {@link #DONE} and
		 * {@link #RECORDED}.
		 */
		public enum Status {

			/** It was done. */
			DONE,

			/** It will be done when the attempt at the active task ends. */
			RECORDED,

			/** There is no such task. */
			NOT_FOUND,

			/** It cannot be done in the state that the task is in. */
			WRONG_STATE,

			/**
			 * The task is not in the container of its state; an aggregating one is being
			 * aggregated, or was lost.
			 */
			MISPLACED,

			/** A key has the wrong type, or the message cannot be decoded. */
			BROKEN,

			/** Others kept changing the task. */
			CONTENDED

		}

	}

}
