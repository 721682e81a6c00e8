package io.asynq.reliability.redis;

import java.time.Duration;
import java.util.Map;

import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * What Java workers and producers talk to Redis with. Who judges uses Jedis.
 */
public enum Driver {

	/** The starter's. */
	JEDIS(Map.of("spring.data.redis.client-type", "jedis")),

	/** Spring Boot's own; it waits a minute for an answer unless it is told otherwise. */
	LETTUCE(Map.of("spring.data.redis.client-type", "lettuce", "spring.data.redis.timeout", "2s"));

	private static final Duration TIMEOUT = Duration.ofSeconds(2);

	private final Map<String, String> springProperties;

	Driver(Map<String, String> springProperties) {
		this.springProperties = springProperties;
	}

	/**
	 * Returns what makes a Spring Boot application use this driver.
	 * @return {@code spring.data.redis.*} and their values
	 */
	public Map<String, String> springProperties() {
		return this.springProperties;
	}

	/**
	 * Connects a producer.
	 * @param jedis connections to the same Redis
	 * @return the same, or others that are to be destroyed
	 */
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

	/**
	 * Ends what {@link #connect} has made.
	 * @param connections a producer's
	 */
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
