package io.asynq.broker;

import io.asynq.TaskState;
import org.jspecify.annotations.Nullable;

/**
 * What became of one task that was to be moved or changed.
 *
 * @param status see {@link Status}
 * @param state the state that the task says it is in; {@code null} if there is no task or
 * it says nothing
 */
public record TaskMoveResult(Status status, @Nullable TaskState state) {

	/**
	 * Kinds of results; nothing was changed but for {@link #DONE}.
	 */
	public enum Status {

		/** It was done. */
		DONE,

		/** There is no such task. */
		NOT_FOUND,

		/** It cannot be done in the state that the task is in. */
		WRONG_STATE,

		/**
		 * The task is not where its state says; an aggregating one is being aggregated,
		 * or was lost.
		 */
		MISPLACED,

		/** A key has the wrong type, or the message cannot be decoded. */
		BROKEN,

		/** Others have changed the task again and again meanwhile. */
		CONTENDED

	}

}
