package io.asynq.internal.schedule;

import java.util.List;
import java.util.function.Consumer;

import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.TaskOptions;
import io.asynq.internal.lifecycle.UserCode;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.schedule.SchedulerListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * An exception of one listener affects neither the others nor the fire.
 */
public final class SchedulerListeners {

	private static final Logger logger = OneLineLogger.of(SchedulerListeners.class);

	static final SchedulerListeners NONE = new SchedulerListeners(List.of());

	private final List<SchedulerListener> listeners;

	public SchedulerListeners(List<SchedulerListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	void beforeEnqueue(String entryId, Task task, TaskOptions options) {
		each(entryId, (listener) -> listener.beforeEnqueue(entryId, task, options));
	}

	void afterEnqueue(String entryId, @Nullable TaskInfo info, @Nullable Exception error) {
		each(entryId, (listener) -> listener.afterEnqueue(entryId, info, error));
	}

	private void each(String entryId, Consumer<SchedulerListener> call) {
		for (SchedulerListener listener : this.listeners) {
			UserCode.run(() -> call.accept(listener),
					(shown) -> logger.warn("Periodic task '{}': listener {} failed, which does not affect the task",
							entryId, listener.getClass().getName(), shown));
		}
	}

}
