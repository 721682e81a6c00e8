package io.asynq.broker.redis;

import io.asynq.broker.redis.jedis.CheckedJedis;
import io.asynq.broker.redis.lettuce.LettuceCalls;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.util.ClassUtils;

/**
 * Lends a connection for one call. Over Jedis it is one that Redis has not closed
 * meanwhile, unless the caller allows that; over Lettuce a script can be sent so that
 * Lettuce does not repeat it. Safe for concurrent use.
 */
final class Connections {

	private static final boolean JEDIS = isPresent("redis.clients.jedis.Jedis");

	private static final boolean LETTUCE = isPresent("io.lettuce.core.RedisClient");

	private final @Nullable RedisConnectionFactory checked;

	private final @Nullable RedisConnectionFactory trusted;

	private final @Nullable LettuceCalls lettuce;

	private final RedisTemplate<String, byte[]> template;

	private final RedisTemplate<String, byte[]> trustedTemplate;

	private final RedisTemplate<String, byte[]> asGiven;

	/** Whether the last connection lent can send scripts once. */
	private volatile boolean once;

	Connections(RedisTemplate<String, byte[]> given) {
		RedisConnectionFactory application = given.getRequiredConnectionFactory();
		this.asGiven = given;
		CheckedJedis jedis = JEDIS ? CheckedJedis.over(application) : null;
		this.checked = jedis;
		this.trusted = (jedis != null) ? jedis.trusting() : null;
		this.lettuce = LETTUCE ? new LettuceCalls() : null;
		this.template = over(this.checked, given);
		this.trustedTemplate = over(this.trusted, given);
	}

	/**
	 * Returns whether the factory is one of a cluster, as far as it tells without
	 * connecting.
	 */
	boolean areOfCluster() {
		RedisConnectionFactory given = this.asGiven.getRequiredConnectionFactory();
		return JEDIS && CheckedJedis.isOfCluster(given) || LETTUCE && LettuceCalls.areOfCluster(given);
	}

	/**
	 * Returns a template for plain commands.
	 * @param trust whether to use connections that Redis may have closed, without a check
	 */
	RedisTemplate<String, byte[]> template(boolean trust) {
		return trust ? this.trustedTemplate : this.template;
	}

	/**
	 * Returns a template for commands without a key, such as those for a cluster's nodes.
	 * @return a template over the factory as it was given
	 */
	RedisTemplate<String, byte[]> asGiven() {
		return this.asGiven;
	}

	/**
	 * Returns whether the driver may have repeated a command that was not answered.
	 * @return {@code false} for our Jedis calls, and where Lettuce is prevented from it
	 */
	boolean mayRepeat() {
		return this.checked == null && !this.once;
	}

	/**
	 * Makes a call.
	 * @param trust whether to use a connection that Redis may have closed, without a
	 * check
	 */
	<T> T call(boolean trust, RedisCallback<T> call) {
		RedisConnectionFactory lending = trust ? this.trusted : this.checked;
		if (lending != null) {
			try (RedisConnection connection = lending.getConnection()) {
				return call.doInRedis(connection);
			}
		}
		return this.template.execute((connection) -> {
			requirePlain(connection);
			return call.doInRedis(connection);
		}, true);
	}

	/**
	 * Returns whether commands go to the node of their key.
	 * @param connection a connection that was lent
	 * @return whether it is one to a cluster
	 */
	boolean isCluster(RedisConnection connection) {
		return connection instanceof RedisClusterConnection
				|| this.checked != null && CheckedJedis.isCluster(connection);
	}

	/**
	 * Returns how to send a script once over a driver that would repeat it.
	 * @param connection a connection that was lent
	 * @return the way, {@code null} if there is none or none is needed
	 */
	@Nullable LettuceCalls once(RedisConnection connection) {
		LettuceCalls way = (this.lettuce != null && this.lettuce.canUse(connection)) ? this.lettuce : null;
		if (this.once != (way != null)) {
			this.once = way != null;
		}
		return way;
	}

	private static void requirePlain(RedisConnection connection) {
		if (connection.isQueueing() || connection.isPipelined()) {
			throw new InvalidDataAccessApiUsageException(
					"asynq needs Redis's answer at once: call it outside of MULTI and pipelines");
		}
	}

	private static RedisTemplate<String, byte[]> over(@Nullable RedisConnectionFactory factory,
			RedisTemplate<String, byte[]> given) {
		if (factory == null) {
			return given;
		}
		RedisTemplate<String, byte[]> template = new RedisTemplate<>();
		template.setConnectionFactory(factory);
		template.setKeySerializer(given.getKeySerializer());
		template.setValueSerializer(given.getValueSerializer());
		template.setHashKeySerializer(given.getHashKeySerializer());
		template.setHashValueSerializer(given.getHashValueSerializer());
		template.afterPropertiesSet();
		return template;
	}

	private static boolean isPresent(String driver) {
		return ClassUtils.isPresent(driver, Connections.class.getClassLoader());
	}

}
