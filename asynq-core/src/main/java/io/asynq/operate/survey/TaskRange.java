package io.asynq.operate.survey;

import java.util.List;

import io.asynq.AsynqException;
import io.asynq.TaskState;
import org.jspecify.annotations.Nullable;

/**
 * Where tasks are looked for: in one state of a queue, or in one of its groups.
 *
 * @param queue the queue
 * @param state the state
 * @param group the group, for aggregating tasks only
 */
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

	/** Returns where tasks of states are, for one after the other. */
	public static List<TaskRange> of(String queue, List<TaskState> states) {
		return states.stream().map((state) -> new TaskRange(queue, state, null)).toList();
	}

}
