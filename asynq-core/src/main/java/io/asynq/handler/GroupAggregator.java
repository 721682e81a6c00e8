package io.asynq.handler;

import java.util.List;

import io.asynq.Task;
import org.jspecify.annotations.Nullable;

/**
 * Turns the tasks of a group into one (asynq L01, F20). A bean of this type is asked for
 * all groups for which there is no
 * {@link io.asynq.annotation.TaskAggregator @TaskAggregator} method. Called by up to
 * three threads at once.
 */
@FunctionalInterface
public interface GroupAggregator {

	/**
	 * Turns tasks into one. When it is stored they are deleted, and with them their
	 * options; the new task has its own, but its queue is that of the group, and it joins
	 * no group. To be done within two minutes: then the thread is interrupted, and the
	 * tasks go back to their group.
	 * @param queue the queue of the group
	 * @param group the group
	 * @param tasks type, payload and headers of its tasks, at least one, in the order in
	 * which they joined the group to the second
	 * @return the task that takes their place; {@code null} is taken for an error
	 * @throws RejectedTasksException to have some of the tasks archived and the others
	 * aggregated without them
	 * @throws Exception to have the tasks go back to their group and be tried again after
	 * a growing pause
	 */
	@Nullable Task aggregate(String queue, String group, List<Task> tasks) throws Exception;

}
