package io.asynq.reliability.redis;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * A Redis that a fault is done to, in one of the forms that applications know.
 */
public interface RedisSetup extends AutoCloseable {

	/**
	 * Returns what makes a Spring Boot application use this Redis.
	 * @return {@code spring.data.redis.*} and their values
	 */
	Map<String, String> springProperties();

	/**
	 * Returns connections for the checker, which no network fault touches. Shared and
	 * safe for concurrent use.
	 * @return the factory, closed with this
	 */
	RedisConnectionFactory connections();

	/**
	 * Returns connections for producers, which network faults touch as they touch those
	 * of workers. Shared and safe for concurrent use.
	 * @return the factory, closed with this
	 */
	default RedisConnectionFactory producerConnections() {
		return connections();
	}

	/**
	 * Returns the address for Go.
	 * @return {@code host:port}, {@code null} where Go is given none
	 */
	@Nullable String goAddress();

	@Override
	void close();

}
