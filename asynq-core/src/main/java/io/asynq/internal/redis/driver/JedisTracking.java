package io.asynq.internal.redis.driver;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.asynq.BrokerUnavailableException;
import io.asynq.internal.redis.driver.SubscriptionConnections.SubscriptionConnection;
import io.asynq.internal.text.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisExceptionConverter;
import redis.clients.jedis.BinaryJedisPubSub;
import redis.clients.jedis.Jedis;

/**
 * Over RESP2 Redis reports to another connection, which subscribes and takes a thread.
 */
public final class JedisTracking implements TrackedConnections {

	private static final Logger logger = OneLineLogger.of(JedisTracking.class);

	private static final String INVALIDATIONS = "__redis__:invalidate";

	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private final SubscriptionConnections connections;

	private JedisTracking(SubscriptionConnections connections) {
		this.connections = connections;
	}

	public static @Nullable JedisTracking over(RedisConnectionFactory factory) {
		return (factory instanceof JedisConnectionFactory) ? new JedisTracking(new SubscriptionConnections(factory))
				: null;
	}

	@Override
	public TrackedConnections at(String node) {
		return new JedisTracking(this.connections.at(node));
	}

	@Override
	public TrackedConnection open(Listener listener) {
		Tracked tracked = new Tracked(this.connections.open(), this.connections.isOfNode(), listener);
		try {
			tracked.begin(this.connections);
			return tracked;
		}
		catch (RuntimeException | Error ex) {
			tracked.close();
			throw ex;
		}
	}

	/** Answers pings in the thread that reads, over the same connection. */
	private static final class Tracked extends BinaryJedisPubSub implements TrackedConnection {

		private final SubscriptionConnection subscriber;

		private final boolean ofNode;

		private final Listener listener;

		private final CompletableFuture<Void> subscribed = new CompletableFuture<>();

		private @Nullable SubscriptionConnection reader;

		private volatile @Nullable CompletableFuture<String> asked;

		private volatile boolean closed;

		Tracked(SubscriptionConnection subscriber, boolean ofNode, Listener listener) {
			this.subscriber = subscriber;
			this.ofNode = ofNode;
			this.listener = listener;
		}

		void begin(SubscriptionConnections connections) {
			Object id = this.subscriber.connection().execute("CLIENT", utf8("ID"));
			this.reader = connections.open();
			this.reader.connection()
				.execute("CLIENT", utf8("TRACKING"), utf8("ON"), utf8("REDIRECT"), utf8(String.valueOf(id)));
			Thread thread = new Thread(this::listen, "asynq-arrivals");
			thread.setDaemon(true);
			thread.start();
			awaitSubscribed();
		}

		@Override
		public RedisConnection connection() {
			if (this.closed) {
				// It would connect again
				throw new BrokerUnavailableException("Arrivals are not listened to", null);
			}
			return this.reader.connection();
		}

		/** The PING before has been answered or does not matter any more. */
		@Override
		public Future<String> answer() {
			CompletableFuture<String> next = new CompletableFuture<>();
			this.asked = next;
			try {
				ping();
			}
			catch (RuntimeException ex) {
				next.completeExceptionally(ex);
			}
			return next;
		}

		@Override
		public void close() {
			// First: a thread that has not subscribed yet connects again to do so
			this.closed = true;
			disconnect(this.subscriber);
			close(this.subscriber);
			if (this.reader != null) {
				// Ends a read that hangs
				disconnect(this.reader);
				synchronized (this) {
					close(this.reader);
				}
			}
		}

		@Override
		public void onSubscribe(byte[] channel, int channels) {
			this.subscribed.complete(null);
			if (this.closed) {
				unsubscribe();
			}
		}

		@Override
		public void onMessage(byte[] channel, byte @Nullable [] key) {
			if (key != null) {
				this.listener.onChange(new String(key, StandardCharsets.UTF_8));
			}
			else {
				this.listener.onFlush();
			}
		}

		@Override
		public void onPong(byte[] pattern) {
			CompletableFuture<String> waiting = this.asked;
			if (waiting != null) {
				try {
					waiting.complete(nodes());
				}
				catch (RuntimeException ex) {
					waiting.completeExceptionally(ex);
				}
			}
		}

		/** Returns when the connection breaks or is closed. */
		private void listen() {
			RuntimeException end = new RedisConnectionFailureException("The subscription has ended");
			try {
				if (this.closed) {
					return;
				}
				((Jedis) this.subscriber.connection().getNativeConnection()).subscribe(this, utf8(INVALIDATIONS));
			}
			catch (RuntimeException ex) {
				DataAccessException translated = new JedisExceptionConverter().convert(ex);
				end = (translated != null) ? translated : ex;
			}
			finally {
				disconnect(this.subscriber);
				this.subscribed.completeExceptionally(end);
				CompletableFuture<String> waiting = this.asked;
				if (waiting != null) {
					waiting.completeExceptionally(end);
				}
				this.listener.onEnd();
			}
		}

		private void awaitSubscribed() {
			try {
				this.subscribed.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
			}
			catch (ExecutionException ex) {
				throw (ex.getCause() instanceof RuntimeException end) ? end : new IllegalStateException(ex.getCause());
			}
			catch (TimeoutException ex) {
				throw new RedisConnectionFailureException("The subscription was not confirmed", ex);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new RedisConnectionFailureException("The subscription was interrupted", ex);
			}
		}

		/** Called once the subscription has received its own answer. */
		private synchronized String nodes() {
			if (!this.ofNode) {
				return "";
			}
			Object nodes = connection().execute("CLUSTER", utf8("NODES"));
			return new String((byte[]) nodes, StandardCharsets.UTF_8);
		}

		private static void disconnect(SubscriptionConnection connection) {
			try {
				((Jedis) connection.connection().getNativeConnection()).disconnect();
			}
			catch (RuntimeException ex) {
				logger.debug("Could not close the connection", ex);
			}
		}

		private static void close(SubscriptionConnection connection) {
			try {
				connection.close();
			}
			catch (RuntimeException ex) {
				logger.debug("Could not close the connection", ex);
			}
		}

		private static byte[] utf8(String text) {
			return text.getBytes(StandardCharsets.UTF_8);
		}

	}

}
