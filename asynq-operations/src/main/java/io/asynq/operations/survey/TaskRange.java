package io.asynq.operations.survey;

import java.util.List;

import io.asynq.AsynqException;
import io.asynq.TaskState;
import org.jspecify.annotations.Nullable;

public record TaskRange(String queue, TaskState state, @Nullable String group) {

	public TaskRange {
		if (state == TaskState.DEFERRED) {
			throw new AsynqException("Parameter 'state' must be one of "
					+ TaskState.stored().stream().map(TaskState::wireName).toList() + ", but is deferred");
		}
		if (state == TaskState.AGGREGATING && group == null) {
			throw new AsynqException("Parameter 'group' is missing: aggregating tasks are listed by group");
		}
		if (state != TaskState.AGGREGATING) {
			group = null;
		}
	}

	public static List<TaskRange> of(String queue, List<TaskState> states) {
		return states.stream().map((state) -> new TaskRange(queue, state, null)).toList();
	}

}
