package io.asynq.cli.task;

import java.util.Arrays;

import io.asynq.TaskState;
import io.asynq.cli.terminal.UsageException;
import org.jspecify.annotations.Nullable;

/**
 * States as flags name them.
 */
public final class TaskStates {

	private TaskStates() {
	}

	/**
	 * Finds a state that a command takes.
	 * @param group the group that was given, {@code null} for none
	 * @param among the states that the command takes
	 * @throws UsageException if it is another one, or aggregating without a group
	 */
	public static TaskState require(String name, @Nullable String group, TaskState... among) {
		TaskState state = Arrays.stream(among)
			.filter((candidate) -> candidate.wireName().equals(name))
			.findFirst()
			.orElseThrow(() -> new UsageException("state=\"" + name + "\" is not supported\nSupported are "
					+ String.join(", ", Arrays.stream(among).map(TaskState::wireName).toList())));
		if (state == TaskState.AGGREGATING && (group == null || group.isEmpty())) {
			throw new UsageException("Flag --group is required for aggregating tasks");
		}
		return state;
	}

}
