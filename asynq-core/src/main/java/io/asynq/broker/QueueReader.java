package io.asynq.broker;

import java.time.LocalDate;
import java.util.List;
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
	 * Returns whether a queue is listed.
	 * @param queue its name
	 * @return whether it is
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	boolean exists(String queue);

	/**
	 * Reads the counters of days.
	 * @param queue the queue's name
	 * @param last the last of the days
	 * @param days how many days, that one included
	 * @return the days, the last one first
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	List<DailyStats> history(String queue, LocalDate last, int days);

	/**
	 * Lists the groups of a queue.
	 * @param queue the queue's name
	 * @return the groups by name
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	List<GroupInfo> groups(String queue);

	/**
	 * Guesses from a few tasks of each state how much memory a queue takes.
	 * @param queue the queue's name
	 * @return about so many bytes
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	long memoryUsage(String queue);

	/**
	 * Asks Redis for a sign of life, and whether it can be used: it is new enough, not a
	 * part of a cluster taken for all of it, and lets its user in.
	 * @throws io.asynq.BrokerException if not, with the reason and the way out
	 */
	void ping();

}
