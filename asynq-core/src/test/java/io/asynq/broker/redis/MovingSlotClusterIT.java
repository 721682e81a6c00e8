package io.asynq.broker.redis;

import io.asynq.test.RedisClusterExtension;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.data.redis.connection.RedisConnectionFactory;

@ExtendWith(RedisClusterExtension.class)
class MovingSlotClusterIT extends MovingSlotContract {

	MovingSlotClusterIT(RedisConnectionFactory factory) {
		super(factory);
	}

}
