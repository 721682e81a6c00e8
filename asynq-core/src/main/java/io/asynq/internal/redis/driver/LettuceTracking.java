package io.asynq.internal.redis.driver;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.asynq.BrokerException;
import io.asynq.internal.redis.driver.SubscriptionConnections.SubscriptionConnection;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StatefulRedisConnectionImpl;
import io.lettuce.core.TrackingArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.push.PushMessage;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.ProtocolVersion;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceExceptionConverter;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;

/** Over RESP3 Redis reports changes on the connection that has read, so one is enough. */
public final class LettuceTracking implements TrackedConnections {

	/** A command time-out is often a minute: too long on a stranded connection. */
	private static final Duration PATIENCE = Duration.ofSeconds(2);

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
		return (CopiedLettuce.configuration(lettuce) != null) ? new LettuceTracking(lettuce, null) : null;
	}

	@Override
	public TrackedConnections at(String node) {
		return new LettuceTracking(this.factory, node);
	}

	@Override
	public TrackedConnection open(Listener listener) {
		AbstractRedisClient client = this.factory.getRequiredNativeClient();
		if (client instanceof RedisClient single) {
			ListedPrimary listed = ListedPrimary.of(this.factory);
			return open(single, null, () -> (listed != null) ? single.connect(ByteArrayCodec.INSTANCE, listed.find())
					: single.connect(ByteArrayCodec.INSTANCE), listener);
		}
		if (client instanceof RedisClusterClient cluster && this.node != null) {
			RedisClient ofNode = clientOf(cluster, this.node);
			return open(ofNode, ofNode, () -> ofNode.connect(ByteArrayCodec.INSTANCE), listener);
		}
		throw new BrokerException("arrivals are not reported over such connections", null);
	}

	public SubscriptionConnection subscriptionAt(String node) {
		if (!(this.factory.getRequiredNativeClient() instanceof RedisClusterClient cluster)) {
			return new SubscriptionConnection(this.factory.getConnection(), null);
		}
		RedisClient ofNode = clientOf(cluster, node);
		return new SubscriptionConnection(new LettuceConnection(PATIENCE.toMillis(), ofNode),
				() -> ofNode.shutdownAsync(0, 0, TimeUnit.SECONDS));
	}

	/** Shares the threads and settings of the client of the cluster. */
	private RedisClient clientOf(RedisClusterClient cluster, String node) {
		int colon = node.lastIndexOf(':');
		RedisClient client = RedisClient.create(cluster.getResources(),
				uri(this.factory, node.substring(0, colon), Integer.parseInt(node.substring(colon + 1))));
		client.setOptions(cluster.getOptions());
		return client;
	}

	static RedisURI uri(LettuceConnectionFactory factory, String host, int port) {
		LettuceClientConfiguration settings = factory.getClientConfiguration();
		RedisURI.Builder uri = RedisURI.builder()
			.withHost(host)
			.withPort(port)
			.withTimeout(settings.getCommandTimeout())
			.withSsl(settings.isUseSsl())
			.withStartTls(settings.isStartTls())
			.withVerifyPeer(settings.getVerifyMode());
		settings.getClientName().ifPresent(uri::withClientName);
		authenticate(uri, CopiedLettuce.configuration(factory), settings);
		return uri.build();
	}

	private static void authenticate(RedisURI.Builder uri, @Nullable RedisConfiguration redis,
			LettuceClientConfiguration settings) {
		RedisCredentialsProviderFactory credentials = settings.getRedisCredentialsProviderFactory().orElse(null);
		if (credentials != null && redis != null) {
			uri.withAuthentication(credentials.createCredentialsProvider(redis));
		}
		else if (redis instanceof RedisConfiguration.WithAuthentication user && user.getPassword().isPresent()) {
			char[] password = user.getPassword().get();
			if (user.getUsername() != null) {
				uri.withAuthentication(user.getUsername(), password);
			}
			else {
				uri.withPassword(password);
			}
		}
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
			return new Tracked(driver, new LettuceConnection(driver, PATIENCE.toMillis(), client), owned);
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
