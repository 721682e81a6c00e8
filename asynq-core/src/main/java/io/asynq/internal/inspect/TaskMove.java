package io.asynq.internal.inspect;

import io.asynq.TaskState;
import org.jspecify.annotations.Nullable;

public enum TaskMove {

	RUN,

	/** To pending, with all its retries again. */
	RUN_FRESH,

	ARCHIVE,

	DELETE;

	public record Result(Status status, @Nullable TaskState state) {

		/** Nothing was changed but for {@link #DONE} and {@link #RECORDED}. */
		public enum Status {

			DONE,

			/** It will be done when the attempt at the active task ends. */
			RECORDED,

			NOT_FOUND,

			WRONG_STATE,

			/** Not in the container of its state: it is being aggregated, or was lost. */
			MISPLACED,

			/** A key has the wrong type, or the message cannot be decoded. */
			BROKEN,

			/** Others kept changing the task. */
			CONTENDED

		}

	}

}
