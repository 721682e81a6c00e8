package io.asynq.internal.redis.driver;

import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

import org.apache.commons.pool2.impl.GenericObjectPool;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisClusterClient;

/** Sees as many pools as Jedis shows, and never waits. */
public final class JedisPools {

	private JedisPools() {
	}

	/** {@code null} where nobody can see them: Sentinel, subclasses, old clients. */
	public static @Nullable Supplier<@Nullable PoolUse> of(RedisConnectionFactory factory) {
		if (factory.getClass() != JedisConnectionFactory.class) {
			return null;
		}
		JedisConnectionFactory jedis = (JedisConnectionFactory) factory;
		return (jedis.isUseUnifiedJedis() && jedis.getSentinelConfiguration() == null) ? () -> use(jedis) : null;
	}

	private static @Nullable PoolUse use(JedisConnectionFactory factory) {
		if (!factory.isRunning()) {
			return null;
		}
		// A view of all connections, which takes none from the pool
		try (RedisConnection view = factory.getConnection()) {
			return sum(pools(view.getNativeConnection()));
		}
		catch (RuntimeException ex) {
			// Stopped meanwhile
			return null;
		}
	}

	private static Collection<? extends GenericObjectPool<?>> pools(Object client) {
		if (client instanceof RedisClusterClient cluster) {
			return cluster.getClusterNodes().values();
		}
		return (client instanceof RedisClient single) ? List.of(single.getPool()) : List.of();
	}

	private static @Nullable PoolUse sum(Collection<? extends GenericObjectPool<?>> pools) {
		return pools.stream()
			.map((pool) -> new PoolUse(pool.getNumActive(), pool.getNumIdle(), pool.getMaxTotal(),
					pool.getNumWaiters()))
			.reduce((a, b) -> new PoolUse(a.active() + b.active(), a.idle() + b.idle(), a.max() + b.max(),
					a.pending() + b.pending()))
			.orElse(null);
	}

}
