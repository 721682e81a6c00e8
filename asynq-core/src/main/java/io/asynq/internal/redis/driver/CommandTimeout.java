package io.asynq.internal.redis.driver;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ClassUtils;

public final class CommandTimeout {

	private static final boolean JEDIS = ClassUtils.isPresent("redis.clients.jedis.Jedis",
			CommandTimeout.class.getClassLoader());

	private static final boolean LETTUCE = ClassUtils.isPresent("io.lettuce.core.RedisClient",
			CommandTimeout.class.getClassLoader());

	private CommandTimeout() {
	}

	/** Zero for none, {@code null} if it is unknown. */
	public static @Nullable Duration of(RedisConnectionFactory factory) {
		if (JEDIS && Jedis.is(factory)) {
			return Jedis.timeout(factory);
		}
		return (LETTUCE && Lettuce.is(factory)) ? Lettuce.timeout(factory) : null;
	}

	/** Loaded only where Jedis is. */
	private static final class Jedis {

		static boolean is(RedisConnectionFactory factory) {
			return factory instanceof JedisConnectionFactory;
		}

		static Duration timeout(RedisConnectionFactory factory) {
			return ((JedisConnectionFactory) factory).getClientConfiguration().getReadTimeout();
		}

	}

	/** Loaded only where Lettuce is. */
	private static final class Lettuce {

		static boolean is(RedisConnectionFactory factory) {
			return factory instanceof LettuceConnectionFactory;
		}

		static Duration timeout(RedisConnectionFactory factory) {
			return ((LettuceConnectionFactory) factory).getClientConfiguration().getCommandTimeout();
		}

	}

}
