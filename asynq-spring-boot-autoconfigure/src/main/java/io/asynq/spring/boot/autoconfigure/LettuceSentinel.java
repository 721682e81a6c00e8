package io.asynq.spring.boot.autoconfigure;

import java.util.List;

import io.asynq.internal.check.Finding;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ClassUtils;

/**
 * Lettuce beside Sentinel listens to the Sentinels only if it is told what it may read
 * from.
 */
final class LettuceSentinel {

	private static final boolean LETTUCE = ClassUtils.isPresent("io.lettuce.core.RedisClient",
			LettuceSentinel.class.getClassLoader());

	private LettuceSentinel() {
	}

	static List<Finding> check(RedisConnectionFactory factory) {
		if (!LETTUCE || !Lettuce.isDeafToSentinel(factory)) {
			return List.of();
		}
		return List.of(new Finding(
				"Lettuce learns of a failover only when its connection breaks: until then it waits for a master that"
						+ " hangs, and keeps writing to one that is cut off, which forgets these writes",
				"set spring.data.redis.lettuce.read-from=upstream"));
	}

	/** Loaded only where Lettuce is. */
	private static final class Lettuce {

		static boolean isDeafToSentinel(RedisConnectionFactory factory) {
			return factory instanceof LettuceConnectionFactory lettuce && lettuce.isRedisSentinelAware()
					&& lettuce.getClientConfiguration().getReadFrom().isEmpty();
		}

	}

}
