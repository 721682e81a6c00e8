package io.asynq.scheduler;

import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.TaskOptions;
import org.jspecify.annotations.Nullable;

/**
 * Is told of every fire (asynq M02, M06). Beans of this type are called in their order,
 * on the thread of the fire, several fires at a time. What a method throws is logged and
 * changes nothing.
 */
public interface SchedulerListener {

	/**
	 * A task is about to be enqueued. Where several schedulers have the entry, each of
	 * them says so.
	 * @param entryId the entry
	 * @param task the task
	 * @param options the entry's options, which override the task's own
	 */
	default void beforeEnqueue(String entryId, Task task, TaskOptions options) {
	}

	/**
	 * A task was enqueued, or could not be. Not called when another scheduler had
	 * enqueued this fire.
	 * @param entryId the entry
	 * @param info the task as it was stored, {@code null} if it was not
	 * @param error why it was not stored, {@code null} if it was
	 */
	default void afterEnqueue(String entryId, @Nullable TaskInfo info, @Nullable Exception error) {
	}

}
