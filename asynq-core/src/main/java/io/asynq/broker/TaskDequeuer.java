package io.asynq.broker;

import java.util.Set;

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

	/**
	 * Gives back what was taken by calls whose answers were lost, as far as that can be
	 * done now. The next call for the same queue does it as well, before it takes
	 * anything.
	 * @return the queues to which something was given back
	 */
	default Set<String> giveBackLost() {
		return Set.of();
	}

}
