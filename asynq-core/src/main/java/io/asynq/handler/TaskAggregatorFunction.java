package io.asynq.handler;

import java.util.List;

import io.asynq.Task;
import org.jspecify.annotations.Nullable;

/**
 * Turns the tasks of a group into one, as Go's {@code GroupAggregator}. A bean of this
 * type is called for all groups that have no
 * {@link io.asynq.annotation.TaskAggregator @TaskAggregator} method. Called by up to
 * three threads at once.
 */
@FunctionalInterface
public interface TaskAggregatorFunction {

	/**
	 * Turns tasks into one. When the new task is stored, the old ones are deleted. The
	 * new task has only its own options, but stays in the queue of the group and joins no
	 * group. After two minutes the thread is interrupted and the tasks go back to their
	 * group.
	 * @param tasks type, payload and headers of its tasks, at least one, ordered by the
	 * second in which they joined the group
	 * @return the task that replaces them; {@code null} counts as an error
	 * @throws RejectedTasksException to archive some of the tasks and aggregate the
	 * others without them
	 * @throws Exception to return the tasks to their group and try again after a growing
	 * pause
	 */
	@Nullable Task aggregate(String queue, String group, List<Task> tasks) throws Exception;

}
