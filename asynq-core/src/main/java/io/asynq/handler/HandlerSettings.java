package io.asynq.handler;

import io.asynq.TaskOptions;
import org.jspecify.annotations.Nullable;

/**
 * What is special about the tasks of one handler.
 *
 * @param limit has one token for each task that may run at the same time, {@code null}
 * for no limit
 * @param defaults options of tasks that this application enqueues, unless something else
 * sets them
 * @param retry how failed tasks are retried
 */
public record HandlerSettings(@Nullable TaskSemaphore limit, TaskOptions defaults, RetrySettings retry) {

	private static final HandlerSettings NONE = new HandlerSettings(null, TaskOptions.none(), RetrySettings.none());

	/**
	 * Returns the settings of a handler whose tasks are like any others.
	 * @return the settings
	 */
	public static HandlerSettings none() {
		return NONE;
	}

	/**
	 * Returns the settings of a handler whose tasks are limited.
	 * @param limit the limit, {@code null} for none
	 * @return the settings
	 */
	public static HandlerSettings limitedBy(@Nullable TaskSemaphore limit) {
		return new HandlerSettings(limit, TaskOptions.none(), RetrySettings.none());
	}

}
