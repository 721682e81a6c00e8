package io.asynq.broker.redis;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.util.ClassUtils;

/**
 * Lends a connection for one call. Safe for concurrent use.
 */
final class Connections {

	private static final boolean JEDIS = ClassUtils.isPresent("redis.clients.jedis.Jedis",
			Connections.class.getClassLoader());

	private final RedisTemplate<String, byte[]> template;

	private final @Nullable RedisConnectionFactory holdingNothing;

	Connections(RedisTemplate<String, byte[]> template) {
		this.template = template;
		RedisConnectionFactory factory = template.getRequiredConnectionFactory();
		this.holdingNothing = (JEDIS && Unified.is(factory)) ? factory : null;
	}

	RedisTemplate<String, byte[]> template() {
		return this.template;
	}

	/**
	 * Makes a call.
	 * @param <T> what comes back
	 * @param call the call
	 * @return what came back
	 */
	<T> T call(RedisCallback<T> call) {
		if (this.holdingNothing != null) {
			return call.doInRedis(this.holdingNothing.getConnection());
		}
		return this.template.execute((connection) -> {
			requirePlain(connection);
			return call.doInRedis(connection);
		}, true);
	}

	private static void requirePlain(RedisConnection connection) {
		if (connection.isQueueing() || connection.isPipelined()) {
			throw new InvalidDataAccessApiUsageException(
					"asynq needs Redis's answer at once: call it outside of MULTI and pipelines");
		}
	}

	/**
	 * Spring's connection over Jedis's pooled client is a view of the whole pool: it
	 * holds nothing when no transaction was begun, and closing it costs an exception that
	 * is thrown and caught inside.
	 */
	private static final class Unified {

		static boolean is(RedisConnectionFactory factory) {
			// A subclass may wrap its connections
			return factory.getClass() == JedisConnectionFactory.class && factory instanceof JedisConnectionFactory jedis
					&& jedis.isUseUnifiedJedis() && !jedis.isRedisClusterAware();
		}

	}

}
