package io.asynq.broker.redis.driver;

import java.nio.charset.StandardCharsets;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
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

	private final @Nullable Function<String, SubscriptionConnection> toNode;

	private final @Nullable String node;

	public SubscriptionConnections(RedisConnectionFactory factory) {
		this(factory, null);
	}

	/**
	 * @param toNode connects to one node of a cluster, {@code null} if it cannot be
	 * chosen or the factory is Jedis's
	 */
	public SubscriptionConnections(RedisConnectionFactory factory,
			@Nullable Function<String, SubscriptionConnection> toNode) {
		this(factory, toNode, null);
	}

	private SubscriptionConnections(RedisConnectionFactory factory,
			@Nullable Function<String, SubscriptionConnection> toNode, @Nullable String node) {
		this.factory = factory;
		this.toNode = toNode;
		this.node = node;
	}

	/** Returns whether there are several nodes and one can be chosen. */
	public boolean choosesNode() {
		return JEDIS && DedicatedJedis.choosesNode(this.factory);
	}

	/** Returns connections to one node. */
	public SubscriptionConnections at(String node) {
		return new SubscriptionConnections(this.factory, this.toNode, node);
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
		if (dedicated != null) {
			return new SubscriptionConnection(dedicated.connect(), dedicated::destroy);
		}
		return (this.node != null && this.toNode != null) ? this.toNode.apply(this.node)
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
	 * @param owner destroys what it alone uses, {@code null} if it comes from the factory
	 * itself
	 */
	public record SubscriptionConnection(RedisConnection connection,
			@Nullable Runnable owner) implements AutoCloseable {

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
					this.owner.run();
				}
			}
		}

	}

}
