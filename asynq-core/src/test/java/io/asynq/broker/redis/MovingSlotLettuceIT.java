package io.asynq.broker.redis;

import io.asynq.test.LettuceClusterExtension;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.data.redis.connection.RedisConnectionFactory;

@ExtendWith(LettuceClusterExtension.class)
class MovingSlotLettuceIT extends MovingSlotContract {

	MovingSlotLettuceIT(RedisConnectionFactory factory) {
		super(factory);
	}

}
