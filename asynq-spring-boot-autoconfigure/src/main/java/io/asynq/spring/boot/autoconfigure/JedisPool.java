package io.asynq.spring.boot.autoconfigure;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * What can be said about the pool behind Spring Boot's Jedis connections without touching
 * the driver.
 */
final class JedisPool {

	private static final String FACTORY = "org.springframework.data.redis.connection.jedis.JedisConnectionFactory";

	/**
	 * Fetching, reporting and renewing leases at once, and a call of the application.
	 * Subscriptions have connections of their own, outside of the pool.
	 */
	static final int NEEDED = 4;

	private JedisPool() {
	}

	/**
	 * Returns the size of the pool.
	 * @param connectionFactory how Redis is reached
	 * @param properties what Spring Boot made it of, {@code null} if it did not
	 * @return the number of connections, {@code null} if it is no pool of Jedis
	 */
	static @Nullable Integer size(RedisConnectionFactory connectionFactory, @Nullable DataRedisProperties properties) {
		if (properties == null || !connectionFactory.getClass().getName().equals(FACTORY)) {
			return null;
		}
		DataRedisProperties.Pool pool = properties.getJedis().getPool();
		return Boolean.FALSE.equals(pool.getEnabled()) ? null : pool.getMaxActive();
	}

}
