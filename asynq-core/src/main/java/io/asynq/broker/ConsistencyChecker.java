package io.asynq.broker;

import java.util.function.Consumer;

/**
 * Finds and mends what makes no sense in a queue. Safe for concurrent use, also while
 * servers work: what is found is looked at a second time, and mended only if it is still
 * there.
 */
public interface ConsistencyChecker {

	/**
	 * Looks through a whole queue, in slices that do not hold up Redis. The cost grows
	 * with the number of tasks, and of keys in the database.
	 * @param queue the queue
	 * @param found takes each inconsistency
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	void check(String queue, Consumer<Inconsistency> found);

	/**
	 * Mends an inconsistency.
	 * @param inconsistency what was found
	 * @return whether it was mended; {@code false} if it was gone, or if a key that would
	 * have to be written has the wrong type
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	boolean repair(Inconsistency inconsistency);

}
