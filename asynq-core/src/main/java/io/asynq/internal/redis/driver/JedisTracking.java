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
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

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
		SubscriptionConnection subscriber = this.connections.open();
		Tracked tracked = new Tracked(subscriber, this.connections.isOfNode());
		try {
			tracked.begin(listener, this.connections);
			return tracked;
		}
		catch (RuntimeException | Error ex) {
			tracked.close();
			throw ex;
		}
	}

	private static final class Tracked implements TrackedConnection {

		private final SubscriptionConnection subscriber;

		private final boolean ofNode;

		private final CompletableFuture<Void> subscribed = new CompletableFuture<>();

		private @Nullable SubscriptionConnection reader;

		private @Nullable JedisReports reports;

		private volatile boolean closed;

		Tracked(SubscriptionConnection subscriber, boolean ofNode) {
			this.subscriber = subscriber;
			this.ofNode = ofNode;
		}

		void begin(Listener listener, SubscriptionConnections connections) {
			Object id = this.subscriber.connection().execute("CLIENT", utf8("ID"));
			this.reader = connections.open();
			this.reader.connection()
				.execute("CLIENT", utf8("TRACKING"), utf8("ON"), utf8("REDIRECT"), utf8(String.valueOf(id)));
			JedisReports reports = new JedisReports(listener, this.subscribed, this::answer);
			this.reports = reports;
			Thread thread = new Thread(() -> reports.listen(this.subscriber.connection(), INVALIDATIONS),
					"asynq-arrivals");
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

		@Override
		public Future<String> ping() {
			return this.reports.await();
		}

		@Override
		public void close() {
			this.closed = true;
			if (this.reports != null) {
				this.reports.end(this.subscriber.connection());
			}
			close(this.subscriber);
			if (this.reader != null) {
				// Ends a read that hangs
				JedisReports.disconnect(this.reader.connection());
				synchronized (this) {
					close(this.reader);
				}
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
		private synchronized String answer() {
			if (!this.ofNode) {
				return "";
			}
			Object nodes = connection().execute("CLUSTER", utf8("NODES"));
			return new String((byte[]) nodes, StandardCharsets.UTF_8);
		}

	}

	private static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
