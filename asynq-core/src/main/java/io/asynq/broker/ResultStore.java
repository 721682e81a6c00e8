package io.asynq.broker;

/**
 * Keeps what handlers write while they run. Safe for concurrent use.
 */
public interface ResultStore {

	/**
	 * Replaces the task's result. Writes nothing when the task is gone, so no stray hash
	 * is left behind, or has passed into other hands.
	 * @param lease the right to work on the task
	 * @param result the bytes
	 * @return whether it was written
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	boolean write(Lease lease, byte[] result);

}
