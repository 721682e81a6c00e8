package io.asynq.broker;

import java.time.Duration;

/**
 * Lets one server at a time try something in a queue. Safe for concurrent use.
 */
public interface QueueTurns {

	/**
	 * Takes the turn in a queue, unless another server has it. It ends by itself.
	 * @param length how long the turn lasts, at least 1 ms
	 * @return whether it was taken
	 */
	boolean take(String queue, Duration length);

}
