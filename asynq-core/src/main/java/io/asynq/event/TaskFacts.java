package io.asynq.event;

import io.asynq.Task;

/**
 * The task that an event is about.
 *
 * @param retryCount how often it was retried before the attempt that the event is about
 */
public record TaskFacts(String id, String queue, Task task, int retryCount, int maxRetry) {

	public String type() {
		return this.task.type();
	}

	/**
	 * The first is 1.
	 */
	public int attempt() {
		return this.retryCount + 1;
	}

}
