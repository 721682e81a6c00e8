package io.asynq.internal.redis.driver;

import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.util.ClassUtils;

/**
 * Over Jedis outside of the pool, where a listening connection would be missing, and one
 * that breaks would do harm; and Spring's default client uses another connection for each
 * command.
 */
public final class SubscriptionConnections {

	private static final boolean JEDIS = ClassUtils.isPresent("redis.clients.jedis.Jedis",
			SubscriptionConnections.class.getClassLoader());

	private final RedisConnectionFactory factory;

	private final @Nullable Function<String, SubscriptionConnection> toNode;

	private final @Nullable String node;

	/** Opens what has to be destroyed; {@code null} where the factory itself will do. */
	private final @Nullable Supplier<? extends RedisConnectionFactory> others;

	public SubscriptionConnections(RedisConnectionFactory factory) {
		this(factory, null, null, null);
	}

	/** {@code toNode} is {@code null} if no node can be chosen, or for Jedis. */
	public SubscriptionConnections(RedisConnectionFactory factory,
			@Nullable Supplier<? extends RedisConnectionFactory> others,
			@Nullable Function<String, SubscriptionConnection> toNode) {
		this(factory, others, toNode, null);
	}

	private SubscriptionConnections(RedisConnectionFactory factory,
			@Nullable Supplier<? extends RedisConnectionFactory> others,
			@Nullable Function<String, SubscriptionConnection> toNode, @Nullable String node) {
		this.factory = factory;
		this.others = others;
		this.toNode = toNode;
		this.node = node;
	}

	public boolean choosesNode() {
		return JEDIS && JedisFactories.choosesNode(this.factory);
	}

	public SubscriptionConnections at(String node) {
		return new SubscriptionConnections(this.factory, this.others, this.toNode, node);
	}

	public boolean isOfNode() {
		return this.node != null;
	}

	public SubscriptionConnection open() {
		SubscriptionConnection dedicated = JEDIS ? JedisFactories.dedicated(this.factory, this.node) : null;
		if (dedicated != null) {
			return dedicated;
		}
		if (this.node != null && this.toNode != null) {
			return this.toNode.apply(this.node);
		}
		RedisConnectionFactory other = (this.others != null) ? this.others.get() : null;
		return (other != null) ? new SubscriptionConnection(other.getConnection(), () -> destroy(other))
				: new SubscriptionConnection(this.factory.getConnection(), null);
	}

	private static void destroy(RedisConnectionFactory connections) {
		try {
			((DisposableBean) connections).destroy();
		}
		catch (Exception ex) {
			throw new IllegalStateException("Connections cannot be closed", ex);
		}
	}

	/** Over a connection that is not kept. */
	public void publish(String channel) {
		try (RedisConnection connection = this.factory.getConnection()) {
			connection.publish(channel.getBytes(StandardCharsets.UTF_8), new byte[0]);
		}
	}

	/** {@code end} is {@code null} for a connection of the factory itself. */
	public record SubscriptionConnection(RedisConnection connection, @Nullable Runnable end) implements AutoCloseable {

		public boolean isDedicated() {
			return this.end != null;
		}

		@Override
		public void close() {
			try {
				this.connection.close();
			}
			finally {
				if (this.end != null) {
					this.end.run();
				}
			}
		}

	}

}
