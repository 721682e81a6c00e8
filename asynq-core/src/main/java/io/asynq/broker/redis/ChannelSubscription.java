package io.asynq.broker.redis;

import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

import io.asynq.AsynqException;
import io.asynq.BrokerUnavailableException;
import io.asynq.broker.Subscription;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.redis.connection.Message;
import org.springframework.data.redis.connection.MessageListener;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.SubscriptionListener;

/**
 * Listens to one channel on one connection. Jedis blocks the listening thread while it
 * subscribes, Lettuce does not: here the thread is blocked with both.
 */
final class ChannelSubscription implements Subscription, MessageListener, SubscriptionListener {

	private static final Logger logger = LoggerFactory.getLogger(ChannelSubscription.class);

	private final RedisConnectionFactory factory;

	private final String channel;

	private final ConnectionSetup setup;

	private final Runnable onReady;

	private final Consumer<String> onMessage;

	private final CountDownLatch ended = new CountDownLatch(1);

	private @Nullable RedisConnection connection;

	private boolean subscribed;

	private boolean closed;

	/**
	 * Creates the subscription; Redis is not touched.
	 * @param factory where the connection comes from
	 * @param channel the channel
	 * @param setup what the connection needs before and after
	 * @param onReady called once messages are being received
	 * @param onMessage called with each message
	 */
	ChannelSubscription(RedisConnectionFactory factory, String channel, ConnectionSetup setup, Runnable onReady,
			Consumer<String> onMessage) {
		this.factory = factory;
		this.channel = channel;
		this.setup = setup;
		this.onReady = onReady;
		this.onMessage = onMessage;
	}

	@Override
	public void listen() {
		try (RedisConnection pinned = this.factory.getConnection()) {
			if (!begin(pinned)) {
				return;
			}
			this.setup.before(pinned);
			try {
				pinned.subscribe(this, Text.utf8(this.channel));
				if (pinned.isSubscribed()) {
					this.ended.await();
				}
			}
			finally {
				end(pinned);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (RuntimeException ex) {
			if (!isClosed()) {
				throw (ex instanceof AsynqException) ? ex
						: ScriptRunner.translate("SUBSCRIBE", "channel " + this.channel, ex);
			}
		}
		if (!isClosed()) {
			throw new BrokerUnavailableException("The subscription to " + this.channel + " has ended", null);
		}
	}

	@Override
	public void close() {
		RedisConnection listening;
		synchronized (this) {
			this.closed = true;
			listening = this.subscribed ? this.connection : null;
		}
		if (listening != null) {
			unsubscribe(listening);
		}
		this.ended.countDown();
	}

	@Override
	public void onMessage(Message message, byte @Nullable [] pattern) {
		this.onMessage.accept(Text.of(message.getBody()));
	}

	@Override
	public void onChannelSubscribed(byte[] name, long count) {
		RedisConnection late;
		synchronized (this) {
			this.subscribed = true;
			late = this.closed ? this.connection : null;
		}
		if (late != null) {
			unsubscribe(late);
			return;
		}
		this.onReady.run();
	}

	private synchronized boolean begin(RedisConnection pinned) {
		this.connection = pinned;
		return !this.closed;
	}

	private synchronized boolean isClosed() {
		return this.closed;
	}

	private void end(RedisConnection pinned) {
		synchronized (this) {
			this.connection = null;
			this.subscribed = false;
		}
		if (!pinned.isSubscribed()) {
			this.setup.after(pinned);
		}
	}

	private static void unsubscribe(RedisConnection listening) {
		try {
			org.springframework.data.redis.connection.Subscription subscription = listening.getSubscription();
			if (subscription != null && subscription.isAlive()) {
				subscription.unsubscribe();
			}
		}
		catch (RuntimeException ex) {
			// The connection broke at the same moment; listen() sees that by itself
			logger.debug("Could not unsubscribe", ex);
		}
	}

	/**
	 * What a connection needs beside the subscription.
	 */
	interface ConnectionSetup {

		/** Nothing. */
		ConnectionSetup NONE = new ConnectionSetup() {
			@Override
			public void before(RedisConnection connection) {
			}

			@Override
			public void after(RedisConnection connection) {
			}
		};

		/**
		 * Prepares the connection.
		 * @param connection the connection
		 */
		void before(RedisConnection connection);

		/**
		 * Cleans the connection up; it goes back to a pool. May throw if it is broken.
		 * @param connection the connection
		 */
		void after(RedisConnection connection);

	}

}
