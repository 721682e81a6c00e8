package io.asynq.broker.redis;

import io.asynq.test.LettuceRedisExtension;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.data.redis.connection.RedisConnectionFactory;

@ExtendWith(LettuceRedisExtension.class)
class ManyGroupsLettuceIT extends ManyGroupsContract {

	ManyGroupsLettuceIT(RedisConnectionFactory factory) {
		super(factory);
	}

}
