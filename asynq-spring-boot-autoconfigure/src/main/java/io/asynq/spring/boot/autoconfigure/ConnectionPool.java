package io.asynq.spring.boot.autoconfigure;

import java.util.List;
import java.util.function.Supplier;

import io.asynq.internal.check.Finding;
import io.asynq.internal.redis.ServerConnections;
import io.asynq.internal.redis.driver.JedisPools;
import io.asynq.internal.redis.driver.PoolUse;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.util.ClassUtils;

/**
 * Over Lettuce all share one connection, and there is no pool that could be too small.
 */
final class ConnectionPool {

	/**
	 * A call holds a connection for a fraction of a millisecond, so more than these are
	 * hardly ever in use; also the default size of Spring Boot.
	 */
	private static final int ENOUGH = 8;

	private static final boolean JEDIS = ClassUtils.isPresent("redis.clients.jedis.Jedis",
			ConnectionPool.class.getClassLoader())
			&& ClassUtils.isPresent("org.apache.commons.pool2.impl.GenericObjectPoolConfig",
					ConnectionPool.class.getClassLoader());

	private ConnectionPool() {
	}

	/** Returns {@code null} if the pool cannot be seen. */
	static @Nullable Supplier<@Nullable PoolUse> use(RedisConnectionFactory factory) {
		return JEDIS ? JedisPools.of(factory) : null;
	}

	/**
	 * @param shared whether the server has no connections of its own
	 */
	static List<Finding> check(RedisConnectionFactory factory, int concurrency, boolean shared) {
		Integer size = JEDIS ? Jedis.poolSize(factory) : null;
		int needed = Math.min(concurrency, ENOUGH) + (shared ? ServerConnections.MAX : 0);
		if (size == null || size < 0 || size >= needed) {
			return List.of();
		}
		return List.of(new Finding(
				"The pool has " + size + " connections to Redis for " + concurrency + " handlers"
						+ (shared ? " and the server" : "")
						+ ", which wait for each other when they call enqueueAll or the inspector",
				"set spring.data.redis.jedis.pool.max-active=" + needed));
	}

	/** Loaded only where Jedis is. */
	private static final class Jedis {

		static @Nullable Integer poolSize(RedisConnectionFactory factory) {
			if (!(factory instanceof JedisConnectionFactory jedis)) {
				return null;
			}
			JedisClientConfiguration client = jedis.getClientConfiguration();
			return client.isUsePooling() ? client.getPoolConfig().map((pool) -> pool.getMaxTotal()).orElse(null) : null;
		}

	}

}
