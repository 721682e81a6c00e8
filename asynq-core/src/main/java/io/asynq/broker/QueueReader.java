package io.asynq.broker;

import java.util.Optional;
import java.util.Set;

/**
 * Reads queues; the cost of no call grows with the number of tasks. Safe for concurrent
 * use.
 */
public interface QueueReader {

	/**
	 * Lists the names of all queues.
	 * @return the names
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	Set<String> queues();

	/**
	 * Reads a queue.
	 * @param queue its name
	 * @return its numbers, empty if there is no such queue
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	Optional<QueueStats> stats(String queue);

	/**
	 * Asks Redis for a sign of life, and whether it can be used: it is new enough, not a
	 * part of a cluster taken for all of it, and lets its user in.
	 * @throws io.asynq.BrokerException if not, with the reason and the way out
	 */
	void ping();

}
