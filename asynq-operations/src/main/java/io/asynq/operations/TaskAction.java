package io.asynq.operations;

import java.util.EnumSet;
import java.util.Set;

import io.asynq.CancelMode;
import io.asynq.TaskState;

public enum TaskAction {

	RUN(EnumSet.of(TaskState.SCHEDULED, TaskState.RETRY, TaskState.ARCHIVED, TaskState.COMPLETED,
			TaskState.AGGREGATING)),

	/** They get all their retries again. */
	RUN_FRESH(RUN.states),

	ARCHIVE(EnumSet.of(TaskState.PENDING, TaskState.SCHEDULED, TaskState.RETRY, TaskState.COMPLETED,
			TaskState.AGGREGATING)),

	DELETE(EnumSet.complementOf(EnumSet.of(TaskState.ACTIVE, TaskState.DEFERRED))),

	CANCEL(EnumSet.of(TaskState.ACTIVE)),

	/** Those that wait at once, active ones when their attempts fail. */
	CANCEL_AND_ARCHIVE(EnumSet.of(TaskState.ACTIVE, TaskState.PENDING, TaskState.SCHEDULED, TaskState.RETRY,
			TaskState.AGGREGATING)),

	CANCEL_AND_DELETE(CANCEL_AND_ARCHIVE.states);

	private final Set<TaskState> states;

	TaskAction(Set<TaskState> states) {
		this.states = states;
	}

	public static TaskAction cancel(CancelMode mode) {
		return switch (mode) {
			case RETRY -> CANCEL;
			case ARCHIVE -> CANCEL_AND_ARCHIVE;
			case DELETE -> CANCEL_AND_DELETE;
		};
	}

	/** The states in which tasks can be for it. */
	public Set<TaskState> states() {
		return this.states;
	}

}
