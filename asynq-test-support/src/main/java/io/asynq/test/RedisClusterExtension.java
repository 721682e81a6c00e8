package io.asynq.test;

import java.time.Duration;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
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
	 * @param readTimeout how long an answer is waited for: on a slow machine, longer than
	 * the driver does by default
	 */
	public RedisClusterExtension(Duration readTimeout) {
		super(started(new JedisConnectionFactory(new RedisClusterConfiguration(TestRedisCluster.shared().nodes()),
				JedisClientConfiguration.builder().readTimeout(readTimeout).usePooling().build())));
	}

	/**
	 * Connects to a cluster; the caller destroys the factory.
	 */
	public static JedisConnectionFactory connectionFactory(TestRedisCluster cluster) {
		return started(new JedisConnectionFactory(new RedisClusterConfiguration(cluster.nodes())));
	}

	private static JedisConnectionFactory started(JedisConnectionFactory factory) {
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

}
