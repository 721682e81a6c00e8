package io.asynq.event;

import io.asynq.Task;

/**
 * The task that an event is about.
 *
 * @param id its id
 * @param queue its queue
 * @param task type, payload and headers
 * @param retryCount how often it was retried before the attempt that the event is about
 * @param maxRetry how often it may be retried
 */
public record TaskFacts(String id, String queue, Task task, int retryCount, int maxRetry) {

	/**
	 * Returns the task's type.
	 * @return the type
	 */
	public String type() {
		return this.task.type();
	}

	/**
	 * Returns the number of the attempt that the event is about.
	 * @return 1 for the first
	 */
	public int attempt() {
		return this.retryCount + 1;
	}

}
