package io.asynq.broker.redis.driver;

import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.util.ClassUtils;

/**
 * Opens connections for subscriptions. Over Jedis each has one of its own, outside of the
 * application's pool: a listening connection would be missing there, one that breaks
 * while subscribed would spoil the pool, and Spring's default Jedis client sends each
 * command over another connection, so the listening one could not be prepared.
 */
public final class SubscriptionConnections {

	private static final boolean JEDIS = ClassUtils.isPresent("redis.clients.jedis.Jedis",
			SubscriptionConnections.class.getClassLoader());

	private final RedisConnectionFactory factory;

	private final @Nullable RedisNode node;

	public SubscriptionConnections(RedisConnectionFactory factory) {
		this(factory, null);
	}

	private SubscriptionConnections(RedisConnectionFactory factory, @Nullable RedisNode node) {
		this.factory = factory;
		this.node = node;
	}

	/** Returns whether there are several nodes and one can be chosen. */
	public boolean choosesNode() {
		return JEDIS && DedicatedJedis.choosesNode(this.factory);
	}

	/** Returns connections to one node. */
	public SubscriptionConnections at(String node) {
		int colon = node.lastIndexOf(':');
		return new SubscriptionConnections(this.factory,
				new RedisNode(node.substring(0, colon), Integer.parseInt(node.substring(colon + 1))));
	}

	/** Returns whether a node of a cluster was chosen. */
	public boolean isOfNode() {
		return this.node != null;
	}

	/**
	 * Opens a connection.
	 * @return the connection, to be closed
	 */
	public SubscriptionConnection open() {
		DedicatedJedis dedicated = JEDIS ? DedicatedJedis.like(this.factory, this.node) : null;
		return (dedicated != null) ? new SubscriptionConnection(dedicated.connect(), dedicated)
				: new SubscriptionConnection(this.factory.getConnection(), null);
	}

	/** Has Redis send an empty message, over a connection that is not kept. */
	public void publish(String channel) {
		try (RedisConnection connection = this.factory.getConnection()) {
			connection.publish(channel.getBytes(StandardCharsets.UTF_8), new byte[0]);
		}
	}

	/**
	 * A connection and its owner.
	 *
	 * @param owner what to destroy with it, {@code null} if it comes from the factory
	 * itself
	 */
	public record SubscriptionConnection(RedisConnection connection,
			@Nullable DedicatedJedis owner) implements AutoCloseable {

		public boolean isDedicated() {
			return this.owner != null;
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
