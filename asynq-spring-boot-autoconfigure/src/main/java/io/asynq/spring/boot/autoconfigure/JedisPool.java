package io.asynq.spring.boot.autoconfigure;

import io.asynq.server.ServerOptions;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * What can be said about the pool behind Spring Boot's Jedis connections without touching
 * the driver.
 */
final class JedisPool {

	private static final String FACTORY = "org.springframework.data.redis.connection.jedis.JedisConnectionFactory";

	/** Fetching, reporting, renewing leases and one call of the application. */
	private static final int SHARED = 4;

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

	/**
	 * Returns how many connections the server keeps to itself: one for cancellations, and
	 * one to be woken by.
	 * @param options the server's settings
	 * @return their number
	 */
	static int pinned(ServerOptions options) {
		return options.wakeUp() ? 2 : 1;
	}

	static int needed(ServerOptions options) {
		return pinned(options) + SHARED;
	}

}
