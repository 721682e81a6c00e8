package io.asynq.internal.redis.driver;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.asynq.BrokerException;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.StatefulRedisConnectionImpl;
import io.lettuce.core.TrackingArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.push.PushMessage;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.ProtocolVersion;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceExceptionConverter;

/** Over RESP3 Redis reports changes on the connection that has read, so one is enough. */
public final class LettuceTracking implements TrackedConnections {

	private static final LettuceExceptionConverter ERRORS = new LettuceExceptionConverter();

	private final LettuceConnectionFactory factory;

	private final @Nullable String node;

	private LettuceTracking(LettuceConnectionFactory factory, @Nullable String node) {
		this.factory = factory;
		this.node = node;
	}

	public static @Nullable LettuceTracking over(RedisConnectionFactory factory) {
		if (!(factory instanceof LettuceConnectionFactory lettuce)) {
			return null;
		}
		return (LettuceFactories.configuration(lettuce) != null) ? new LettuceTracking(lettuce, null) : null;
	}

	@Override
	public TrackedConnections at(String node) {
		return new LettuceTracking(this.factory, node);
	}

	@Override
	public TrackedConnection open(Listener listener) {
		AbstractRedisClient client = this.factory.getRequiredNativeClient();
		if (client instanceof RedisClient single) {
			RedisStaticMasterReplicaConfiguration listed = LettuceFactories.listed(this.factory);
			return open(single, null,
					() -> (listed != null)
							? single.connect(ByteArrayCodec.INSTANCE, LettuceFactories.primary(this.factory, listed))
							: single.connect(ByteArrayCodec.INSTANCE),
					listener);
		}
		if (client instanceof RedisClusterClient cluster && this.node != null) {
			RedisClient ofNode = LettuceFactories.client(this.factory, cluster, this.node);
			return open(ofNode, ofNode, () -> ofNode.connect(ByteArrayCodec.INSTANCE), listener);
		}
		throw new BrokerException("arrivals are not reported over such connections", null);
	}

	/** {@code owned} is shut down with the connection. */
	private static TrackedConnection open(RedisClient client, @Nullable RedisClient owned,
			Supplier<StatefulRedisConnection<byte[], byte[]>> connect, Listener listener) {
		StatefulRedisConnection<byte[], byte[]> driver = null;
		try {
			driver = connect.get();
			if (!isPushed(driver)) {
				throw new BrokerException("arrivals are reported over Lettuce only with RESP3, its default protocol",
						null);
			}
			driver.addListener((PushMessage message) -> tell(message, listener));
			driver.addListener(new End(listener));
			driver.sync().clientTracking(TrackingArgs.Builder.enabled());
			return new Tracked(driver, new LettuceConnection(driver, LettuceFactories.PATIENCE.toMillis(), client),
					owned);
		}
		catch (RuntimeException ex) {
			if (owned != null) {
				owned.shutdownAsync(0, 0, TimeUnit.SECONDS);
			}
			else if (driver != null) {
				driver.closeAsync();
			}
			DataAccessException translated = ERRORS.convert(ex);
			throw (translated != null) ? translated : ex;
		}
	}

	/** An application may have chosen RESP2, in which Redis keeps such reports back. */
	private static boolean isPushed(StatefulRedisConnection<byte[], byte[]> driver) {
		return driver instanceof StatefulRedisConnectionImpl<byte[], byte[]> known
				&& known.getConnectionState().getNegotiatedProtocolVersion() == ProtocolVersion.RESP3;
	}

	private static void tell(PushMessage message, Listener listener) {
		if (!message.getType().equals("invalidate")) {
			return;
		}
		List<Object> content = message.getContent(StandardCharsets.UTF_8::decode);
		Object keys = (content.size() > 1) ? content.get(1) : null;
		if (keys instanceof List<?> changed) {
			changed.forEach((key) -> listener.onChange(String.valueOf(key)));
		}
		else {
			listener.onFlush();
		}
	}

	/** Lettuce would connect again, but Redis does not track the new connection. */
	private record End(Listener listener) implements RedisConnectionStateListener {

		@Override
		public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
			this.listener.onEnd();
		}

	}

	private record Tracked(StatefulRedisConnection<byte[], byte[]> driver, RedisConnection connection,
			@Nullable RedisClient owned) implements TrackedConnection {

		@Override
		public Future<String> answer() {
			return (this.owned != null) ? this.driver.async().clusterNodes() : this.driver.async().ping();
		}

		@Override
		public void close() {
			this.driver.close();
			if (this.owned != null) {
				this.owned.shutdownAsync(0, 0, TimeUnit.SECONDS);
			}
		}

	}

}
