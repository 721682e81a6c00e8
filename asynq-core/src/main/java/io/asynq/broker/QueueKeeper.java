package io.asynq.broker;

import java.util.Map;

/**
 * Pauses, resumes and deletes queues (asynq O05, O17). Safe for concurrent use.
 */
public interface QueueKeeper {

	/**
	 * Keeps servers from taking tasks of a queue, which need not exist.
	 * @param queue the queue
	 * @return {@code false} if it is paused already
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	boolean pause(String queue);

	/**
	 * Lets servers take tasks of a queue again.
	 * @param queue the queue
	 * @return {@code false} if it is not paused
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	boolean resume(String queue);

	/**
	 * Deletes a queue with everything that belongs to it, in bounded steps. Walks through
	 * all keys of the database.
	 * @param queue the queue
	 * @param force whether with its tasks; active ones are never deleted
	 * @return what stands in the way, number by state; empty if the queue was deleted
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails; deleting it
	 * again goes on, and so do the queue's servers and the next deletion of any queue
	 */
	Map<String, Long> delete(String queue, boolean force);

}
