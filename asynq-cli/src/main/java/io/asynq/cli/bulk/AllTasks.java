package io.asynq.cli.bulk;

import io.asynq.TaskState;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.RunOptions;
import io.asynq.operations.TaskAction;
import org.jspecify.annotations.Nullable;

/**
 * The inspector's methods for all tasks of a state.
 *
 * @param inspector the inspector
 * @param queue the queue
 * @param group the group, for aggregating tasks
 */
record AllTasks(AsynqInspector inspector, String queue, @Nullable String group) {

	/** Returns how many tasks it was done with. */
	long act(TaskAction action, TaskState state) {
		if (state == TaskState.AGGREGATING) {
			return actOnGroup(action, String.valueOf(this.group));
		}
		return switch (action) {
			case RUN -> this.inspector.runAllTasks(this.queue, state);
			case RUN_FRESH -> this.inspector.runAllTasks(this.queue, state, RunOptions.freshRetries());
			case ARCHIVE -> this.inspector.archiveAllTasks(this.queue, state);
			case DELETE -> this.inspector.deleteAllTasks(this.queue, state);
			default -> throw new IllegalArgumentException(action.name());
		};
	}

	private long actOnGroup(TaskAction action, String name) {
		return switch (action) {
			case RUN, RUN_FRESH -> this.inspector.runAllAggregatingTasks(this.queue, name);
			case ARCHIVE -> this.inspector.archiveAllAggregatingTasks(this.queue, name);
			case DELETE -> this.inspector.deleteAllAggregatingTasks(this.queue, name);
			default -> throw new IllegalArgumentException(action.name());
		};
	}

}
