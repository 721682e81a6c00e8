package io.asynq.handler;

import io.asynq.TaskOptions;

/**
 * What is special about the tasks of one handler.
 *
 * @param defaults options of tasks that this application enqueues, unless something else
 * sets them
 */
public record HandlerSettings(HandlerLimits limits, TaskOptions defaults, RetrySettings retry) {

	private static final HandlerSettings NONE = new HandlerSettings(HandlerLimits.none(), TaskOptions.none(),
			RetrySettings.none());

	/**
	 * Returns the settings of a handler whose tasks are like any others.
	 */
	public static HandlerSettings none() {
		return NONE;
	}

	/**
	 * Returns the settings of a handler whose tasks are limited.
	 */
	public static HandlerSettings limitedBy(HandlerLimits limits) {
		return new HandlerSettings(limits, TaskOptions.none(), RetrySettings.none());
	}

}
