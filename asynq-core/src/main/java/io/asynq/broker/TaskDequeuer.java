package io.asynq.broker;

/**
 * Takes pending tasks. Safe for concurrent use.
 */
public interface TaskDequeuer {

	/**
	 * Moves up to {@code max} tasks of a queue that is not paused from pending to active,
	 * each with a lease. At most 64 tasks and about 4 MiB of messages per call. What
	 * cannot be decoded is archived, ids without a task are dropped; neither counts.
	 * @param queue the queue
	 * @param max at least 1
	 * @return the tasks
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	Dequeued dequeue(String queue, int max);

}
