package io.asynq.test.redis;

import java.time.Duration;

/**
 * A Redis whose clock can be set.
 */
public interface ClockedRedis extends RedisSetup {

	/**
	 * Sets the clock that scripts read. Acknowledged writes are kept.
	 * @param ahead how far it is ahead of this machine's
	 */
	void setClock(Duration ahead);

}
