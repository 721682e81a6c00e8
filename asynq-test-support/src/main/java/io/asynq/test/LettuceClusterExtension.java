package io.asynq.test;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Gives a test the shared {@link TestRedisCluster}, emptied before each test, through a
 * {@link RedisConnectionFactory} of Lettuce (closed after the class).
 */
public final class LettuceClusterExtension extends ConnectionFactoryExtension {

	public LettuceClusterExtension() {
		super(connectionFactory(new RedisClusterConfiguration(TestRedisCluster.shared().nodes())));
	}

	/**
	 * Connects to a cluster; the caller destroys the factory.
	 */
	public static LettuceConnectionFactory connectionFactory(RedisClusterConfiguration cluster) {
		LettuceConnectionFactory factory = new LettuceConnectionFactory(cluster);
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

}
