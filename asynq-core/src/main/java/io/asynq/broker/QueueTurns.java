package io.asynq.broker;

import java.time.Duration;

/**
 * Lets one server of all try something in a queue, and the others later. Safe for
 * concurrent use.
 */
public interface QueueTurns {

	/**
	 * Takes the turn in a queue, unless somebody has it. Nobody gives it back: it ends by
	 * itself.
	 * @param queue the queue
	 * @param length how long nobody else is to have it, at least 1 ms
	 * @return whether it was taken
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	boolean take(String queue, Duration length);

}
