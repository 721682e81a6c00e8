package io.asynq.internal.redis.driver;

import java.time.Duration;

import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration.JedisClientConfigurationBuilder;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/** The application's settings with a small pool. */
public final class CopiedJedis {

	private CopiedJedis() {
	}

	/** {@code null} for another driver, or a subclass that may do more. */
	public static @Nullable JedisConnectionFactory of(RedisConnectionFactory application, int connections) {
		if (application.getClass() != JedisConnectionFactory.class) {
			return null;
		}
		JedisConnectionFactory jedis = (JedisConnectionFactory) application;
		JedisClientConfiguration client = pooled(jedis.getClientConfiguration(), connections);
		RedisClusterConfiguration cluster = jedis.getClusterConfiguration();
		RedisSentinelConfiguration sentinel = jedis.getSentinelConfiguration();
		JedisConnectionFactory copy = (cluster != null) ? new JedisConnectionFactory(cluster, client)
				: (sentinel != null) ? new JedisConnectionFactory(sentinel, client)
						: new JedisConnectionFactory(jedis.getStandaloneConfiguration(), client);
		copy.setUseUnifiedJedis(jedis.isUseUnifiedJedis());
		return copy;
	}

	private static JedisClientConfiguration pooled(JedisClientConfiguration application, int connections) {
		GenericObjectPoolConfig<?> pool = application.getPoolConfig()
			.<GenericObjectPoolConfig<?>>map(GenericObjectPoolConfig::clone)
			.orElseGet(GenericObjectPoolConfig::new);
		pool.setMaxTotal(connections);
		pool.setMaxIdle(connections);
		pool.setMinIdle(Math.min(pool.getMinIdle(), connections));
		// Connections come back when their calls time out
		pool.setBlockWhenExhausted(true);
		pool.setMaxWait(Duration.ofMillis(-1));
		JedisClientConfigurationBuilder settings = JedisSettings.like(application);
		settings.usePooling().poolConfig(pool);
		return settings.build();
	}

}
