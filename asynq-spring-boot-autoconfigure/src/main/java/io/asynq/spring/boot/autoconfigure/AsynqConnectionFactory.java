package io.asynq.spring.boot.autoconfigure;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * The connections that tasks go through. Not a bean of the type it holds: nobody is to
 * inject it by accident.
 *
 * @param value the connections
 * @param dedicated whether they are marked with {@link AsynqRedis}
 */
record AsynqConnectionFactory(RedisConnectionFactory value, boolean dedicated) {

	static AsynqConnectionFactory of(@Nullable RedisConnectionFactory dedicated,
			Supplier<RedisConnectionFactory> primary) {
		return (dedicated != null) ? new AsynqConnectionFactory(dedicated, true)
				: new AsynqConnectionFactory(primary.get(), false);
	}

}
