package io.asynq.broker;

import java.util.Collection;
import java.util.Map;
import java.util.Set;

import io.asynq.AsynqException;
import io.asynq.info.QueueStats;

/**
 * Reads many queues in few calls, as metrics need them. A queue that cannot be read harms
 * no other. Safe for concurrent use.
 */
public interface ManyQueues {

	/** Lists the names of all queues. */
	Set<String> names();

	/**
	 * Reads the numbers of queues, at a cost that does not grow with the number of tasks.
	 * @param queues their names; one that does not exist is empty
	 */
	Answer<QueueStats> stats(Collection<String> queues);

	/**
	 * Counts the live servers that take tasks, Go's included.
	 * @return their number by queue, without queues that have none
	 */
	Map<String, Long> consumers();

	/**
	 * Estimates how much memory queues take, in bytes, from a few tasks of each state.
	 * @param queues the numbers of each, as read before
	 */
	Answer<Long> memoryUsage(Map<String, QueueStats> queues);

	/**
	 * What was read.
	 *
	 * @param values by queue
	 * @param errors by queue that could not be read
	 */
	record Answer<T>(Map<String, T> values, Map<String, AsynqException> errors) {
	}

}
