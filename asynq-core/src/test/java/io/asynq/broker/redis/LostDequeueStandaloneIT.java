package io.asynq.broker.redis;

import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.data.redis.connection.RedisConnectionFactory;

@ExtendWith(RedisExtension.class)
class LostDequeueStandaloneIT extends LostDequeueContract {

	LostDequeueStandaloneIT(RedisConnectionFactory factory) {
		super(factory);
	}

}
