package io.asynq.internal.redis.driver;

import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Over Jedis outside of the pool, where a listening connection would be missing, and one
 * that breaks would do harm; and Spring's default client uses another connection for each
 * command.
 */
public final class SubscriptionConnections {

	private final RedisConnectionFactory factory;

	private final @Nullable String node;

	public SubscriptionConnections(RedisConnectionFactory factory) {
		this(factory, null);
	}

	private SubscriptionConnections(RedisConnectionFactory factory, @Nullable String node) {
		this.factory = factory;
		this.node = node;
	}

	public boolean choosesNode() {
		return Drivers.JEDIS && JedisFactories.choosesNode(this.factory);
	}

	public SubscriptionConnections at(String node) {
		return new SubscriptionConnections(this.factory, node);
	}

	public boolean isOfNode() {
		return this.node != null;
	}

	public SubscriptionConnection open() {
		SubscriptionConnection dedicated = Drivers.JEDIS ? JedisFactories.dedicated(this.factory, this.node) : null;
		if (dedicated == null && Drivers.LETTUCE) {
			dedicated = LettuceFactories.dedicated(this.factory, this.node);
		}
		return (dedicated != null) ? dedicated : new SubscriptionConnection(this.factory.getConnection(), null);
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
