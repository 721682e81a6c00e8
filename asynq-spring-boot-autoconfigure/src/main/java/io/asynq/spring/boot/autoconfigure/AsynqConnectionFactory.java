package io.asynq.spring.boot.autoconfigure;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Wrapped so that nobody injects the connections for tasks by accident.
 */
record AsynqConnectionFactory(RedisConnectionFactory value) {

	static AsynqConnectionFactory of(@Nullable RedisConnectionFactory dedicated,
			Supplier<RedisConnectionFactory> primary) {
		return new AsynqConnectionFactory((dedicated != null) ? dedicated : primary.get());
	}

}
