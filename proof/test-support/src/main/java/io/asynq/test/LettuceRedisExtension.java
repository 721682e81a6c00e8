package io.asynq.test;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

public final class LettuceRedisExtension extends ConnectionFactoryExtension {

	public LettuceRedisExtension() {
		super(connectionFactory(TestRedis.shared()));
	}

	/** The caller destroys the factory. */
	public static LettuceConnectionFactory connectionFactory(TestRedis redis) {
		LettuceConnectionFactory factory = new LettuceConnectionFactory(RedisExtension.configuration(redis));
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

}
