package io.asynq.test;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/**
 * Gives a test the shared {@link TestRedisCluster}, emptied before each test, through a
 * {@link RedisConnectionFactory} of Jedis (closed after the class).
 */
public final class RedisClusterExtension extends ConnectionFactoryExtension {

	public RedisClusterExtension() {
		super(connectionFactory(TestRedisCluster.shared()));
	}

	/**
	 * Connects to a cluster; the caller destroys the factory.
	 */
	public static JedisConnectionFactory connectionFactory(TestRedisCluster cluster) {
		JedisConnectionFactory factory = new JedisConnectionFactory(new RedisClusterConfiguration(cluster.nodes()));
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

}
