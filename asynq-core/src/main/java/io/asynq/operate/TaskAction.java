package io.asynq.operate;

import java.util.EnumSet;
import java.util.Set;

import io.asynq.TaskState;

/**
 * What can be done with tasks by hand.
 */
public enum TaskAction {

	/** Make them pending. */
	RUN(EnumSet.of(TaskState.SCHEDULED, TaskState.RETRY, TaskState.ARCHIVED, TaskState.COMPLETED,
			TaskState.AGGREGATING)),

	/** Move them to the archive. */
	ARCHIVE(EnumSet.of(TaskState.PENDING, TaskState.SCHEDULED, TaskState.RETRY, TaskState.COMPLETED,
			TaskState.AGGREGATING)),

	/** Delete them. */
	DELETE(EnumSet.complementOf(EnumSet.of(TaskState.ACTIVE))),

	/** Ask their servers to interrupt them. */
	CANCEL(EnumSet.of(TaskState.ACTIVE));

	private final Set<TaskState> states;

	TaskAction(Set<TaskState> states) {
		this.states = states;
	}

	/** Returns the states in which tasks can be. */
	Set<TaskState> states() {
		return this.states;
	}

}
