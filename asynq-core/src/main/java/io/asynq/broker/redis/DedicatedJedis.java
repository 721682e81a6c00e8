package io.asynq.broker.redis;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/**
 * Makes one connection like those of an application's Jedis factory, but outside of its
 * pool.
 */
final class DedicatedJedis {

	private final JedisConnectionFactory factory;

	private final boolean clusterNode;

	private DedicatedJedis(JedisConnectionFactory factory, boolean clusterNode) {
		this.factory = factory;
		this.clusterNode = clusterNode;
	}

	/**
	 * Looks at the application's factory. Of a cluster a node is picked, which hears what
	 * is published through any other.
	 * @param application the factory
	 * @return what makes such connections, {@code null} if it is another driver's
	 */
	static @Nullable DedicatedJedis like(RedisConnectionFactory application) {
		if (!(application instanceof JedisConnectionFactory jedis)) {
			return null;
		}
		JedisClientConfiguration client = jedis.getClientConfiguration();
		RedisSentinelConfiguration sentinel = jedis.getSentinelConfiguration();
		JedisConnectionFactory factory;
		if (jedis.isRedisClusterAware()) {
			factory = new JedisConnectionFactory(ClusterNodePick.from(jedis), withoutPool(client));
		}
		else if (sentinel != null) {
			factory = new JedisConnectionFactory(sentinel, client);
		}
		else {
			factory = new JedisConnectionFactory(jedis.getStandaloneConfiguration(), withoutPool(client));
		}
		factory.setUseUnifiedJedis(false);
		return new DedicatedJedis(factory, jedis.isRedisClusterAware());
	}

	boolean isClusterNode() {
		return this.clusterNode;
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
		return JedisSettings.like(application).build();
	}

}
