package io.asynq.broker.redis;

import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.data.redis.connection.RedisConnectionFactory;

@ExtendWith(RedisExtension.class)
class GivenBackStandaloneIT extends GivenBackContract {

	GivenBackStandaloneIT(RedisConnectionFactory factory) {
		super(factory);
	}

}
