package io.asynq.broker.redis;

import io.asynq.test.LettuceRedisExtension;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.data.redis.connection.RedisConnectionFactory;

@ExtendWith(LettuceRedisExtension.class)
class LostDequeueLettuceIT extends LostDequeueContract {

	LostDequeueLettuceIT(RedisConnectionFactory factory) {
		super(factory);
	}

}
