package io.asynq.test;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

public final class LettuceClusterExtension extends ConnectionFactoryExtension {

	public LettuceClusterExtension() {
		super(connectionFactory(new RedisClusterConfiguration(TestRedisCluster.shared().nodes())));
	}

	/** The caller destroys the factory. */
	public static LettuceConnectionFactory connectionFactory(RedisClusterConfiguration cluster) {
		LettuceConnectionFactory factory = new LettuceConnectionFactory(cluster);
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

}
