package io.asynq.broker.redis.signal;

import java.time.Duration;
import java.util.UUID;

import io.asynq.broker.redis.Keys;
import io.asynq.broker.redis.driver.SubscriptionConnections;
import io.asynq.lifecycle.PeriodicRunner;
import io.asynq.logging.OneLineLogger;
import org.slf4j.Logger;

/**
 * Checks that a subscription still receives messages, by having Redis send one from time
 * to time. A half-open connection looks like an idle one, because reading from it has no
 * time-out. It is detected only while Redis accepts the message: over Lettuce, whose
 * connections are shared, everything waits for the driver to notice. Safe for concurrent
 * use.
 */
final class SubscriptionProbe implements AutoCloseable {

	private static final Logger logger = OneLineLogger.of(SubscriptionProbe.class);

	/**
	 * How long a message may take. Redis sends it together with its answer to the sender.
	 */
	private static final Duration PATIENCE = Duration.ofSeconds(3);

	/** How long to wait after one has come back, before the next. */
	private static final Duration REST = Duration.ofSeconds(2);

	/**
	 * How long to wait after one could not be sent: the sender's own connection may be
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
	 * Creates the probe; it does nothing until it is started.
	 * @param connections for sending the messages
	 * @param onSilence called when a message did not arrive
	 */
	SubscriptionProbe(SubscriptionConnections connections, Runnable onSilence) {
		this.connections = connections;
		this.onSilence = onSilence;
	}

	/**
	 * Returns the channel that the subscription must listen to as well.
	 * @return the channel of this probe alone
	 */
	String channel() {
		return this.channel;
	}

	/** Begins, once the subscription is confirmed; without effect when closed. */
	synchronized void start() {
		if (!this.closed) {
			this.runner.start();
		}
	}

	/**
	 * Says that a message has arrived, of the probe or of anybody: the probe's own waits
	 * behind those that came before it, which may take longer than its patience.
	 */
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
			// Either Redis is away, which others report, or the sender's connection was
			// broken and is closed now
			logger.debug("Could not probe a subscription", ex);
			return AFTER_ERROR;
		}
	}

}
