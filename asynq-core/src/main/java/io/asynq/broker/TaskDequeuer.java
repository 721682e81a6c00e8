package io.asynq.broker;

import java.util.Set;

import io.asynq.broker.message.Dequeued;

/**
 * Takes pending tasks. Safe for concurrent use.
 */
public interface TaskDequeuer {

	/**
	 * Moves up to {@code max} tasks of a queue that is not paused from pending to active,
	 * each with a lease: at most 64 tasks and about 4 MiB of messages per call. Tasks
	 * that cannot be decoded are archived, ids without a task are dropped; neither
	 * counts.
	 * @param max at least 1
	 */
	Dequeued dequeue(String queue, int max);

	/**
	 * Returns tasks to pending that were taken by calls whose answers were lost, as far
	 * as possible now. The next call for the same queue does so too, before it takes
	 * anything.
	 * @return the queues that got tasks back
	 */
	default Set<String> giveBackLost() {
		return Set.of();
	}

}
