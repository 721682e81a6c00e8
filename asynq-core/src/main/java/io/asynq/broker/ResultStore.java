package io.asynq.broker;

/**
 * Keeps what handlers write while they run. Safe for concurrent use.
 */
public interface ResultStore {

	/**
	 * Replaces the task's result. Writes nothing when the task is gone, so no stray hash
	 * is left behind.
	 * @param queue the task's queue
	 * @param id the task's id
	 * @param result the bytes
	 * @return whether the task exists
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	boolean write(String queue, String id, byte[] result);

}
