package io.asynq.broker;

import java.util.Collection;
import java.util.Set;

/**
 * Writes down how far attempts have come. Safe for concurrent use.
 */
public interface AttemptKeeper {

	/**
	 * Writes down that the handlers of some tasks are about to begin, so that it is known
	 * when their server dies.
	 * @param queue the queue of all of them
	 * @param tasks the tasks
	 * @return those for which it is written down; the others have passed into other hands
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails; for each it
	 * may have been written down all the same
	 */
	Set<LeasedTask> begin(String queue, Collection<LeasedTask> tasks);

	/**
	 * Writes down the records of tasks whose attempts do not end by themselves; to be
	 * called before their outcomes are written.
	 * @param queue the queue of all of them
	 * @param tasks the tasks with their new records
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	void note(String queue, Collection<LeasedTask> tasks);

}
