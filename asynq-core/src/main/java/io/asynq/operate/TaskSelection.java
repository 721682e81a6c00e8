package io.asynq.operate;

import io.asynq.TaskState;
import io.asynq.inspect.RunOptions;
import org.jspecify.annotations.Nullable;

/**
 * All tasks of one state, or of one group, or those of them that meet conditions.
 *
 * @param queue their queue
 * @param state their state
 * @param group their group, for aggregating tasks only
 * @param options the conditions; nothing else of the options counts
 */
public record TaskSelection(String queue, TaskState state, @Nullable String group, RunOptions options) {

	public TaskSelection(String queue, TaskState state, @Nullable String group) {
		this(queue, state, group, RunOptions.defaults());
	}

	/**
	 * Returns whether tasks must meet conditions.
	 */
	public boolean hasConditions() {
		return this.options.hasConditions();
	}

}
