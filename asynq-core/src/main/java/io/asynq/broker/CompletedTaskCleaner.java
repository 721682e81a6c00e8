package io.asynq.broker;

/**
 * Deletes completed tasks whose retention is over. Safe for concurrent use.
 */
public interface CompletedTaskCleaner {

	/**
	 * Deletes up to {@code limit} of them; also goes on with a deletion of the queue that
	 * was interrupted.
	 * @param queue the queue
	 * @param limit at least 1
	 * @return how many completed tasks were deleted
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	int deleteExpired(String queue, int limit);

}
