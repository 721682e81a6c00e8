package io.asynq.spring.boot.autoconfigure;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * The connections that tasks go through. Not a bean of the type it holds: nobody is to
 * inject it by accident.
 *
 * @param value the connections
 */
record AsynqConnectionFactory(RedisConnectionFactory value) {

	static AsynqConnectionFactory of(@Nullable RedisConnectionFactory dedicated,
			Supplier<RedisConnectionFactory> primary) {
		return new AsynqConnectionFactory((dedicated != null) ? dedicated : primary.get());
	}

}
