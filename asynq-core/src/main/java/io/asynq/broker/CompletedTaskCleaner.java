package io.asynq.broker;

/**
 * Deletes completed tasks whose retention is over. Safe for concurrent use.
 */
public interface CompletedTaskCleaner {

	/**
	 * Deletes up to {@code limit} of them.
	 * @param queue the queue
	 * @param limit at least 1
	 * @return how many were deleted
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	int deleteExpired(String queue, int limit);

}
