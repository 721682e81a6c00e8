package io.asynq.spring.boot.autoconfigure;

import java.util.List;
import java.util.function.Supplier;

import io.asynq.internal.redis.ServerConnections;
import io.asynq.internal.redis.driver.JedisPools;
import io.asynq.internal.redis.driver.PoolUse;
import io.asynq.operations.preflight.Finding;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ClassUtils;

final class Connections {

	/**
	 * A call holds a connection for a fraction of a millisecond, so more than these are
	 * hardly ever in use; also the default size of Spring Boot.
	 */
	private static final int ENOUGH = 8;

	private static final boolean JEDIS = ClassUtils.isPresent("redis.clients.jedis.Jedis",
			Connections.class.getClassLoader())
			&& ClassUtils.isPresent("org.apache.commons.pool2.impl.GenericObjectPoolConfig",
					Connections.class.getClassLoader());

	private static final boolean LETTUCE = ClassUtils.isPresent("io.lettuce.core.RedisClient",
			Connections.class.getClassLoader());

	private Connections() {
	}

	/** Returns {@code null} if the pool cannot be seen. */
	static @Nullable Supplier<@Nullable PoolUse> use(RedisConnectionFactory factory) {
		return JEDIS ? JedisPools.of(factory) : null;
	}

	/**
	 * Over Lettuce all share one connection, and no pool could be too small.
	 * @param shared whether the server has no connections of its own
	 */
	static List<Finding> checkPool(RedisConnectionFactory factory, int concurrency, boolean shared) {
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

	/**
	 * Beside Sentinel, Lettuce listens to the Sentinels only if it is told what to read
	 * from.
	 */
	static List<Finding> checkSentinel(RedisConnectionFactory factory) {
		if (!LETTUCE || !Lettuce.isDeafToSentinel(factory)) {
			return List.of();
		}
		return List.of(new Finding(
				"Lettuce learns of a failover only when its connection breaks: until then it waits for a master that"
						+ " hangs, and keeps writing to one that is cut off, which forgets these writes",
				"set spring.data.redis.lettuce.read-from=upstream"));
	}

	/** Loaded only where Lettuce is. */
	private static final class Lettuce {

		static boolean isDeafToSentinel(RedisConnectionFactory factory) {
			return factory instanceof LettuceConnectionFactory lettuce && lettuce.isRedisSentinelAware()
					&& lettuce.getClientConfiguration().getReadFrom().isEmpty();
		}

	}

}
