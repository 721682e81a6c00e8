package io.asynq.broker.redis;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.util.ClassUtils;

/**
 * Where subscriptions get their connections. Over Jedis each has one of its own, outside
 * of the application's pool: a connection that waits would starve the application, one
 * that breaks while subscribed would spoil the pool, and Spring's default Jedis client
 * sends each command over another connection, so nothing could be prepared on the one
 * that listens.
 */
final class SubscriptionConnections {

	private static final boolean JEDIS = ClassUtils.isPresent("redis.clients.jedis.Jedis",
			SubscriptionConnections.class.getClassLoader());

	private final RedisConnectionFactory factory;

	SubscriptionConnections(RedisConnectionFactory factory) {
		this.factory = factory;
	}

	/**
	 * Opens a connection.
	 * @return the connection, to be closed
	 */
	SubscriptionConnection open() {
		DedicatedJedis dedicated = JEDIS ? DedicatedJedis.like(this.factory) : null;
		return (dedicated != null) ? new SubscriptionConnection(dedicated.connect(), dedicated)
				: new SubscriptionConnection(this.factory.getConnection(), null);
	}

	/**
	 * Has Redis send an empty message, over a connection that is not kept.
	 * @param channel where to
	 */
	void publish(String channel) {
		try (RedisConnection connection = this.factory.getConnection()) {
			connection.publish(Text.utf8(channel), new byte[0]);
		}
	}

	/**
	 * A connection and what made it.
	 *
	 * @param connection the connection
	 * @param owner what to destroy with it, {@code null} if it comes from the factory
	 * itself
	 */
	record SubscriptionConnection(RedisConnection connection, @Nullable DedicatedJedis owner) implements AutoCloseable {

		boolean isDedicated() {
			return this.owner != null;
		}

		/**
		 * Returns whether each key can be asked for, and tracked, over such a connection.
		 * @return {@code false} for one node of a cluster, and where commands may go over
		 * different connections
		 */
		boolean seesEveryKey() {
			return this.owner != null && !this.owner.isClusterNode();
		}

		@Override
		public void close() {
			try {
				this.connection.close();
			}
			finally {
				if (this.owner != null) {
					this.owner.destroy();
				}
			}
		}

	}

}
