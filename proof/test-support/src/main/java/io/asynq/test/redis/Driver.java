package io.asynq.test.redis;

import java.time.Duration;
import java.util.Map;

import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * The driver of Java workers and producers; checkers use Jedis.
 */
public enum Driver {

	/** The starter's. */
	JEDIS(Map.of("spring.data.redis.client-type", "jedis")),

	/** The default of Spring Boot, whose own time-out is a minute. */
	LETTUCE(Map.of("spring.data.redis.client-type", "lettuce", "spring.data.redis.timeout", "2s"));

	private static final Duration TIMEOUT = Duration.ofSeconds(2);

	private final Map<String, String> springProperties;

	Driver(Map<String, String> springProperties) {
		this.springProperties = springProperties;
	}

	public Map<String, String> springProperties() {
		return this.springProperties;
	}

	/** Returns the same or new connections, to be passed to {@link #disconnect}. */
	public RedisConnectionFactory connect(RedisConnectionFactory jedis) {
		if (this == JEDIS) {
			return jedis;
		}
		LettuceConnectionFactory factory = new LettuceConnectionFactory(configuration((JedisConnectionFactory) jedis),
				LettuceClientConfiguration.builder().commandTimeout(TIMEOUT).build());
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

	public void disconnect(RedisConnectionFactory connections) {
		if (connections instanceof LettuceConnectionFactory lettuce) {
			lettuce.destroy();
		}
	}

	private static RedisConfiguration configuration(JedisConnectionFactory jedis) {
		if (jedis.getClusterConfiguration() != null) {
			return jedis.getClusterConfiguration();
		}
		return (jedis.getSentinelConfiguration() != null) ? jedis.getSentinelConfiguration()
				: jedis.getStandaloneConfiguration();
	}

}
