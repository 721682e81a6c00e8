package io.asynq.broker.redis;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeansException;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Makes a second Lettuce factory with an application's settings. All commands share one
 * connection of it, on a cluster one for each node.
 */
final class CopiedLettuce {

	private CopiedLettuce() {
	}

	/**
	 * Copies a factory.
	 * @param application the application's
	 * @return the copy, not started; {@code null} if the factory is another driver's, or
	 * a subclass that may do more than its settings say
	 */
	static @Nullable LettuceConnectionFactory of(RedisConnectionFactory application) {
		if (application.getClass() != LettuceConnectionFactory.class) {
			return null;
		}
		LettuceConnectionFactory lettuce = (LettuceConnectionFactory) application;
		RedisConfiguration redis = configuration(lettuce);
		if (redis == null) {
			return null;
		}
		LettuceConnectionFactory copy = new LettuceConnectionFactory(redis, lettuce.getClientConfiguration());
		copy.setValidateConnection(lettuce.getValidateConnection());
		return copy;
	}

	/**
	 * Where Redis is. There is a getter for most forms of it, but a factory does not say
	 * which form it has: for replicas that are listed one by one it would give localhost.
	 */
	private static @Nullable RedisConfiguration configuration(LettuceConnectionFactory lettuce) {
		try {
			return (RedisConfiguration) new DirectFieldAccessor(lettuce).getPropertyValue("configuration");
		}
		catch (BeansException ex) {
			return null;
		}
	}

}
