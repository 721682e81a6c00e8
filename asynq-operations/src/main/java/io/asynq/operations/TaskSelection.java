package io.asynq.operations;

import io.asynq.TaskState;
import io.asynq.inspect.RunOptions;
import org.jspecify.annotations.Nullable;

/**
 * @param options the conditions; nothing else of the options counts
 */
public record TaskSelection(String queue, TaskState state, @Nullable String group, RunOptions options) {

	public TaskSelection(String queue, TaskState state, @Nullable String group) {
		this(queue, state, group, RunOptions.defaults());
	}

	public boolean hasConditions() {
		return this.options.hasConditions();
	}

}
