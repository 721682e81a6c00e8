package io.asynq.broker.redis.lettuce;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;

import io.asynq.broker.redis.driver.TrackedConnection;
import io.asynq.broker.redis.driver.TrackedConnections;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.StatefulRedisConnectionImpl;
import io.lettuce.core.TrackingArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.push.PushMessage;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.ProtocolVersion;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceExceptionConverter;

/**
 * Opens connections by the Lettuce client of a factory, so with all of its settings. Over
 * RESP3 Redis reports changes on the connection that has read, so one is enough.
 */
public final class LettuceTracking implements TrackedConnections {

	/**
	 * How long reading may take. Command time-outs are often a minute, for which a server
	 * would wait if the connection was stranded.
	 */
	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private static final LettuceExceptionConverter ERRORS = new LettuceExceptionConverter();

	private final LettuceConnectionFactory factory;

	private LettuceTracking(LettuceConnectionFactory factory) {
		this.factory = factory;
	}

	/**
	 * Wraps a factory.
	 * @return the opener of such connections, {@code null} for another driver, and where
	 * the factory connects to several nodes
	 */
	public static @Nullable LettuceTracking over(RedisConnectionFactory factory) {
		if (!(factory instanceof LettuceConnectionFactory lettuce)) {
			return null;
		}
		RedisConfiguration redis = CopiedLettuce.configuration(lettuce);
		boolean single = RedisConfiguration.isHostAndPortAware(redis)
				|| RedisConfiguration.isDomainSocketConfiguration(redis)
				|| RedisConfiguration.isSentinelConfiguration(redis);
		return (single && !RedisConfiguration.isStaticMasterReplicaConfiguration(redis)) ? new LettuceTracking(lettuce)
				: null;
	}

	@Override
	public @Nullable TrackedConnection open(Listener listener) {
		if (!(this.factory.getRequiredNativeClient() instanceof RedisClient client)) {
			return null;
		}
		StatefulRedisConnection<byte[], byte[]> driver = null;
		try {
			driver = client.connect(ByteArrayCodec.INSTANCE);
			if (!isPushed(driver)) {
				driver.closeAsync();
				return null;
			}
			driver.addListener((PushMessage message) -> tell(message, listener));
			driver.addListener(new End(listener));
			driver.sync().clientTracking(TrackingArgs.Builder.enabled());
			return new Tracked(driver, new LettuceConnection(driver, PATIENCE.toMillis(), client));
		}
		catch (RuntimeException ex) {
			if (driver != null) {
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

	private record Tracked(StatefulRedisConnection<byte[], byte[]> driver,
			RedisConnection connection) implements TrackedConnection {

		@Override
		public Future<?> ping() {
			return this.driver.async().ping();
		}

		@Override
		public void close() {
			this.driver.close();
		}

	}

}
