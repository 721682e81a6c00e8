package io.asynq.archfixture.broker;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Breaks: only the adapter knows Spring Data Redis.
 */
public class BrokerThatUsesSpringDataRedis {

	final Object factory = new LettuceConnectionFactory();

}
