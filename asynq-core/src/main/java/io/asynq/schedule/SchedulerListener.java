package io.asynq.schedule;

import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.TaskOptions;
import org.jspecify.annotations.Nullable;

/**
 * Called before and after each fire, on its thread; several fires can run at the same
 * time. Beans of this type are called in their order. If a listener throws an exception,
 * that is logged and changes nothing.
 */
public interface SchedulerListener {

	/**
	 * A task is about to be enqueued. If several schedulers have the entry, this is
	 * called in each of them.
	 * @param options the entry's options, which override the task's own
	 */
	default void beforeEnqueue(String entryId, Task task, TaskOptions options) {
	}

	/**
	 * A task was enqueued, or could not be enqueued. Not called if another scheduler has
	 * enqueued this fire.
	 * @param info the task as it was stored, {@code null} if it was not
	 * @param error why it was not stored, {@code null} if it was
	 */
	default void afterEnqueue(String entryId, @Nullable TaskInfo info, @Nullable Exception error) {
	}

}
