package io.asynq.test.redis;

import java.time.Duration;

public interface ClockedRedis extends RedisSetup {

	/** Sets the clock that scripts read; acknowledged writes are kept. */
	void setClock(Duration ahead);

}
