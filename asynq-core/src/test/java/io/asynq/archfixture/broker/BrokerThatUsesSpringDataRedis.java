package io.asynq.archfixture.broker;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Breaks the rule that only the adapter uses Spring Data Redis.
 */
public class BrokerThatUsesSpringDataRedis {

	final Object factory = new LettuceConnectionFactory();

}
