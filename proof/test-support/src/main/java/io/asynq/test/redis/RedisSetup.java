package io.asynq.test.redis;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;

public interface RedisSetup extends AutoCloseable {

	/** The {@code spring.data.redis.*} properties for this Redis. */
	Map<String, String> springProperties();

	/**
	 * For checkers, which network faults do not affect; shared, and closed with this
	 * object.
	 */
	RedisConnectionFactory connections();

	/**
	 * For producers, which network faults affect like workers; shared, and closed with
	 * this object.
	 */
	default RedisConnectionFactory producerConnections() {
		return connections();
	}

	/** Returns {@code host:port} for Go, {@code null} if Go does not take part. */
	@Nullable String goAddress();

	@Override
	void close();

}
