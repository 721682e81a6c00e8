package io.asynq.internal.redis.driver;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/** A connection outside of the application's pool, with its settings. */
final class DedicatedJedis {

	/** Applications often allow a minute; listening itself takes as long as it takes. */
	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private final JedisConnectionFactory factory;

	private DedicatedJedis(JedisConnectionFactory factory) {
		this.factory = factory;
	}

	/** Any node of a cluster receives what is published through any other. */
	static @Nullable DedicatedJedis like(RedisConnectionFactory application, @Nullable String node) {
		if (!(application instanceof JedisConnectionFactory jedis)) {
			return null;
		}
		JedisClientConfiguration client = jedis.getClientConfiguration();
		RedisSentinelConfiguration sentinel = jedis.getSentinelConfiguration();
		JedisConnectionFactory factory;
		if (jedis.isRedisClusterAware()) {
			factory = new JedisConnectionFactory(ClusterNodePick.from(jedis, node), withoutPool(client));
		}
		else if (sentinel != null) {
			factory = new JedisConnectionFactory(sentinel, client);
		}
		else {
			factory = new JedisConnectionFactory(jedis.getStandaloneConfiguration(), withoutPool(client));
		}
		factory.setUseUnifiedJedis(false);
		return new DedicatedJedis(factory);
	}

	static boolean choosesNode(RedisConnectionFactory application) {
		return application instanceof JedisConnectionFactory jedis && jedis.isRedisClusterAware();
	}

	RedisConnection connect() {
		try {
			this.factory.afterPropertiesSet();
			this.factory.start();
			return this.factory.getConnection();
		}
		catch (RuntimeException ex) {
			destroy();
			throw ex;
		}
	}

	void destroy() {
		this.factory.destroy();
	}

	private static JedisClientConfiguration withoutPool(JedisClientConfiguration application) {
		return JedisSettings.like(application).readTimeout(shorter(application.getReadTimeout())).build();
	}

	private static Duration shorter(Duration timeout) {
		return (timeout.isZero() || timeout.compareTo(PATIENCE) > 0) ? PATIENCE : timeout;
	}

}
