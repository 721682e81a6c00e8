package io.asynq.test.redis;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * A Redis to test faults with: standalone, cluster or Sentinel.
 */
public interface RedisSetup extends AutoCloseable {

	/**
	 * Returns the {@code spring.data.redis.*} properties for this Redis.
	 */
	Map<String, String> springProperties();

	/**
	 * Returns connections for checkers, which network faults do not affect. Shared, safe
	 * for concurrent use, and closed with this object.
	 */
	RedisConnectionFactory connections();

	/**
	 * Returns connections for producers, which network faults affect like those of
	 * workers. Shared, safe for concurrent use, and closed with this object.
	 */
	default RedisConnectionFactory producerConnections() {
		return connections();
	}

	/**
	 * Returns {@code host:port} for Go, {@code null} if Go does not take part.
	 */
	@Nullable String goAddress();

	@Override
	void close();

}
