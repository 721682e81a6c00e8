package io.asynq.operate;

import java.util.EnumSet;
import java.util.Set;

import io.asynq.CancelMode;
import io.asynq.TaskState;

/**
 * What can be done with tasks by hand.
 */
public enum TaskAction {

	/** Make them pending. */
	RUN(EnumSet.of(TaskState.SCHEDULED, TaskState.RETRY, TaskState.ARCHIVED, TaskState.COMPLETED,
			TaskState.AGGREGATING)),

	/** Make them pending, with all their retries again. */
	RUN_FRESH(RUN.states),

	/** Move them to the archive. */
	ARCHIVE(EnumSet.of(TaskState.PENDING, TaskState.SCHEDULED, TaskState.RETRY, TaskState.COMPLETED,
			TaskState.AGGREGATING)),

	/** Delete them. */
	DELETE(EnumSet.complementOf(EnumSet.of(TaskState.ACTIVE, TaskState.DEFERRED))),

	/** Ask their servers to interrupt them. */
	CANCEL(EnumSet.of(TaskState.ACTIVE)),

	/** Archive those that wait, and active ones when their attempts fail. */
	CANCEL_AND_ARCHIVE(EnumSet.of(TaskState.ACTIVE, TaskState.PENDING, TaskState.SCHEDULED, TaskState.RETRY,
			TaskState.AGGREGATING)),

	/** Delete those that wait, and active ones when their attempts fail. */
	CANCEL_AND_DELETE(CANCEL_AND_ARCHIVE.states);

	private final Set<TaskState> states;

	TaskAction(Set<TaskState> states) {
		this.states = states;
	}

	/** Returns how tasks are cancelled. */
	public static TaskAction cancel(CancelMode mode) {
		return switch (mode) {
			case RETRY -> CANCEL;
			case ARCHIVE -> CANCEL_AND_ARCHIVE;
			case DELETE -> CANCEL_AND_DELETE;
		};
	}

	/** Returns the states in which tasks can be. */
	public Set<TaskState> states() {
		return this.states;
	}

}
