package io.asynq.archfixture.broker.redis;

import java.util.List;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Breaks the rule that public signatures expose no Redis type.
 */
public class AdapterThatShowsRedis {

	public void take(List<? extends RedisConnectionFactory> factories) {
	}

}
