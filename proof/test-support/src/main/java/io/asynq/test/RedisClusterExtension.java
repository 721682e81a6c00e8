package io.asynq.test;

import java.time.Duration;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/**
 * Connects with Jedis.
 */
public final class RedisClusterExtension extends ConnectionFactoryExtension {

	public RedisClusterExtension() {
		super(connectionFactory(TestRedisCluster.shared()));
	}

	/** On a slow machine, an answer takes longer than the driver waits by default. */
	public RedisClusterExtension(Duration readTimeout) {
		super(started(new JedisConnectionFactory(new RedisClusterConfiguration(TestRedisCluster.shared().nodes()),
				JedisClientConfiguration.builder().readTimeout(readTimeout).usePooling().build())));
	}

	/** The caller destroys the factory. */
	public static JedisConnectionFactory connectionFactory(TestRedisCluster cluster) {
		return started(new JedisConnectionFactory(new RedisClusterConfiguration(cluster.nodes())));
	}

	private static JedisConnectionFactory started(JedisConnectionFactory factory) {
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

}
