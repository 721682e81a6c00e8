package io.asynq.internal.cancel;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

import io.asynq.AsynqException;
import io.asynq.BrokerUnavailableException;
import io.asynq.internal.lifecycle.PeriodicRunner;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.Subscription;
import io.asynq.internal.redis.Text;
import io.asynq.internal.redis.driver.SubscriptionConnections.SubscriptionConnection;
import io.asynq.internal.redis.driver.SubscriptionConnections;
import io.asynq.internal.text.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.springframework.data.redis.connection.Message;
import org.springframework.data.redis.connection.MessageListener;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.SubscriptionListener;

/** Blocks the listening thread, as Jedis does and Lettuce does not. */
final class ChannelSubscription implements Subscription, MessageListener, SubscriptionListener {

	private static final Logger logger = OneLineLogger.of(ChannelSubscription.class);

	private final SubscriptionConnections connections;

	private final Runnable onReady;

	private final Consumer<String> onMessage;

	private final Probe probe;

	private final CountDownLatch ended = new CountDownLatch(1);

	private @Nullable SubscriptionConnection open;

	private @Nullable Thread listener;

	private boolean blocking;

	private boolean silent;

	private boolean closed;

	ChannelSubscription(SubscriptionConnections connections, Runnable onReady, Consumer<String> onMessage) {
		this.connections = connections;
		this.onReady = onReady;
		this.onMessage = onMessage;
		this.probe = new Probe(connections, this::giveUp);
	}

	@Override
	public void listen() {
		try (SubscriptionConnection open = this.connections.open()) {
			if (begin(open)) {
				listen(open);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (RuntimeException ex) {
			if (!isClosed() && !isSilent()) {
				throw (ex instanceof AsynqException) ? ex
						: ScriptRunner.translate("SUBSCRIBE", "channel " + Keys.CANCEL_CHANNEL, ex);
			}
		}
		if (!isClosed()) {
			throw new BrokerUnavailableException("The subscription to " + Keys.CANCEL_CHANNEL
					+ (isSilent() ? " received nothing more and was given up" : " has ended"), null);
		}
	}

	@Override
	public void close() {
		synchronized (this) {
			this.closed = true;
		}
		leave();
	}

	@Override
	public void onMessage(Message message, byte @Nullable [] pattern) {
		this.probe.received();
		if (!isOfProbe(message.getChannel())) {
			this.onMessage.accept(Text.of(message.getBody()));
		}
	}

	@Override
	public void onChannelSubscribed(byte[] name, long count) {
		SubscriptionConnection late = null;
		synchronized (this) {
			// Called in the listening thread, which is then blocked until the end
			this.blocking = Thread.currentThread() == this.listener;
			if (this.closed && this.blocking) {
				late = this.open;
			}
		}
		if (late != null) {
			unsubscribe(late.connection());
		}
		else if (isOfProbe(name)) {
			this.probe.start();
		}
		else {
			this.onReady.run();
		}
	}

	/**
	 * The closing thread must leave the connection first: its next command would send the
	 * UNSUBSCRIBE again, whose answer another user of the pool would read.
	 */
	@Override
	public void onChannelUnsubscribed(byte[] name, long count) {
		if (isBlocking() && isClosed()) {
			try {
				this.ended.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private synchronized boolean begin(SubscriptionConnection pinned) {
		this.open = pinned;
		this.listener = Thread.currentThread();
		return !this.closed;
	}

	private synchronized boolean isBlocking() {
		return this.blocking;
	}

	private synchronized boolean isClosed() {
		return this.closed;
	}

	private synchronized boolean isSilent() {
		return this.silent;
	}

	private boolean isOfProbe(byte[] name) {
		return Text.of(name).equals(this.probe.channel());
	}

	private void listen(SubscriptionConnection open) throws InterruptedException {
		try {
			RedisConnection pinned = open.connection();
			pinned.subscribe(this, Text.utf8(Keys.CANCEL_CHANNEL), Text.utf8(this.probe.channel()));
			if (pinned.isSubscribed()) {
				this.ended.await();
				unsubscribe(pinned);
			}
		}
		catch (RuntimeException ex) {
			throw isBodyless(ex) ? new BrokerUnavailableException(
					"The subscription to " + Keys.CANCEL_CHANNEL + " has ended because the database was flushed", ex)
					: ex;
		}
		finally {
			this.probe.close();
			end();
		}
	}

	private synchronized void end() {
		this.open = null;
		this.blocking = false;
	}

	/** Spring refuses a message without a body, which Redis sends after a FLUSHDB. */
	private static boolean isBodyless(RuntimeException ex) {
		return ex instanceof IllegalArgumentException || ex.getCause() instanceof IllegalArgumentException;
	}

	private void giveUp() {
		synchronized (this) {
			this.silent = true;
		}
		leave();
	}

	/** A Redis that hangs would never confirm an UNSUBSCRIBE. */
	private void leave() {
		SubscriptionConnection blocked;
		synchronized (this) {
			blocked = this.blocking ? this.open : null;
		}
		if (blocked != null) {
			unsubscribe(blocked.connection());
			closeUnderneath(blocked);
		}
		this.ended.countDown();
	}

	private static void closeUnderneath(SubscriptionConnection blocked) {
		if (blocked.isDedicated()) {
			try {
				blocked.close();
			}
			catch (RuntimeException ex) {
				logger.debug("Could not close the connection", ex);
			}
		}
	}

	private static void unsubscribe(RedisConnection listening) {
		try {
			org.springframework.data.redis.connection.Subscription subscription = listening.getSubscription();
			if (subscription != null) {
				// Unlike unsubscribe(), this never sends twice if the listening thread
				// closes too
				subscription.close();
			}
		}
		catch (RuntimeException ex) {
			// The connection broke at the same moment; listen() notices by itself
			logger.debug("Could not unsubscribe", ex);
		}
	}

	/**
	 * Reading from a half-open connection never times out, so Redis has to send a message
	 * from time to time; useful only while Redis accepts it.
	 */
	private static final class Probe implements AutoCloseable {

		/** Redis sends the message together with its answer to the sender. */
		private static final Duration PATIENCE = Duration.ofSeconds(3);

		private static final Duration REST = Duration.ofSeconds(2);

		/** A message could not be sent: the sender's own connection may be broken. */
		private static final Duration AFTER_ERROR = Duration.ofSeconds(1);

		private final SubscriptionConnections connections;

		private final String channel = Keys.aliveChannel(UUID.randomUUID());

		private final PeriodicRunner runner = new PeriodicRunner("asynq-subscription-probe", this::probe);

		private final Runnable onSilence;

		private volatile boolean awaiting;

		/** Used by the probe's own thread only. */
		private boolean sent;

		private boolean closed;

		Probe(SubscriptionConnections connections, Runnable onSilence) {
			this.connections = connections;
			this.onSilence = onSilence;
		}

		String channel() {
			return this.channel;
		}

		/** To be called once the subscription is confirmed. */
		synchronized void start() {
			if (!this.closed) {
				this.runner.start();
			}
		}

		/** Any message counts: the probe's own waits behind those before it. */
		void received() {
			this.awaiting = false;
		}

		@Override
		public synchronized void close() {
			this.closed = true;
			// Its thread may wait for a Redis that hangs; the closing one does not
			this.runner.stop(Duration.ZERO);
		}

		private Duration probe() {
			if (this.sent) {
				this.sent = false;
				if (this.awaiting) {
					this.onSilence.run();
				}
				return REST;
			}
			this.awaiting = true;
			try {
				this.connections.publish(this.channel);
				this.sent = true;
				return PATIENCE;
			}
			catch (RuntimeException ex) {
				// Either Redis is away, which others report, or the sender's connection
				// was
				// broken and is closed now
				logger.debug("Could not probe a subscription", ex);
				return AFTER_ERROR;
			}
		}

	}

}
