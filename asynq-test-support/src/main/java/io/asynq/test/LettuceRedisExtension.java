package io.asynq.test;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Gives a test the shared {@link TestRedis}, emptied before each test, through a
 * {@link RedisConnectionFactory} of Lettuce (closed after the class).
 */
public final class LettuceRedisExtension extends ConnectionFactoryExtension {

	public LettuceRedisExtension() {
		super(connectionFactory(TestRedis.shared()));
	}

	/**
	 * Connects to a Redis; the caller destroys the factory.
	 */
	public static LettuceConnectionFactory connectionFactory(TestRedis redis) {
		LettuceConnectionFactory factory = new LettuceConnectionFactory(RedisExtension.configuration(redis));
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

}
