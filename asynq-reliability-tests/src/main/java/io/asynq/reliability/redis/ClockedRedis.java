package io.asynq.reliability.redis;

import java.time.Duration;

/**
 * A Redis whose clock can be set.
 */
public interface ClockedRedis extends RedisSetup {

	/**
	 * Sets the clock that applications live by. What was acknowledged is kept.
	 * @param ahead by how much it is to be ahead of this machine's
	 */
	void setClock(Duration ahead);

}
