package io.asynq.broker.redis;

import java.time.Duration;
import java.util.UUID;

import io.asynq.lifecycle.PeriodicRunner;
import io.asynq.logging.OneLineLogger;
import org.slf4j.Logger;

/**
 * Finds out whether a subscription still receives: has Redis send it a message of its own
 * now and then. A connection whose other end has vanished without a word looks like one
 * on which nobody has anything to say, because reading from it has no timeout. That is
 * told only while Redis takes the message: over Lettuce, whose connections are shared,
 * everything waits for the driver to notice. Safe for concurrent use.
 */
final class SubscriptionProbe implements AutoCloseable {

	private static final Logger logger = OneLineLogger.of(SubscriptionProbe.class);

	/**
	 * How long a message may be on its way; Redis sends it with its answer to the sender.
	 */
	private static final Duration PATIENCE = Duration.ofSeconds(3);

	/** How long to wait after one has come back, before the next. */
	private static final Duration REST = Duration.ofSeconds(2);

	/**
	 * How long to wait after one could not be sent: the sender's connection may be
	 * broken.
	 */
	private static final Duration AFTER_ERROR = Duration.ofSeconds(1);

	private final SubscriptionConnections connections;

	private final String channel = Keys.aliveChannel(UUID.randomUUID());

	private final PeriodicRunner runner = new PeriodicRunner("asynq-subscription-probe", this::probe);

	private final Runnable onSilence;

	private volatile boolean awaiting;

	/** Used by the probe's own thread only. */
	private boolean sent;

	private boolean closed;

	/**
	 * Creates the probe, which does nothing until it is started.
	 * @param connections through which the messages are sent
	 * @param onSilence called when one has not come back
	 */
	SubscriptionProbe(SubscriptionConnections connections, Runnable onSilence) {
		this.connections = connections;
		this.onSilence = onSilence;
	}

	/**
	 * Returns what the subscription is to listen to besides its own channel.
	 * @return the channel of this probe alone
	 */
	String channel() {
		return this.channel;
	}

	/**
	 * Begins, once the subscription is confirmed; without effect when closed.
	 */
	synchronized void start() {
		if (!this.closed) {
			this.runner.start();
		}
	}

	/**
	 * Says that a message has come back.
	 */
	void received() {
		this.awaiting = false;
	}

	@Override
	public synchronized void close() {
		this.closed = true;
		// Its thread may wait for a Redis that hangs; whoever closes does not
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
			// Redis is away for everybody, which others notice and tell, or the sender
			// has a broken connection, which it has lost now
			logger.debug("Could not probe a subscription", ex);
			return AFTER_ERROR;
		}
	}

}
