package io.asynq.broker;

/**
 * Moves scheduled and retry tasks that are due. Safe for concurrent use, also between
 * servers.
 */
public interface TaskForwarder {

	/**
	 * Moves up to 100 due tasks of each of scheduled and retry to pending, or to their
	 * group.
	 * @param queue the queue
	 * @return what was done
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	Forwarded forward(String queue);

}
