package io.asynq.internal.cancel;

import java.time.Duration;
import java.util.UUID;

import io.asynq.internal.lifecycle.PeriodicRunner;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.driver.SubscriptionConnections;
import io.asynq.internal.text.OneLineLogger;
import org.slf4j.Logger;

/**
 * Reading from a half-open connection never times out, so Redis has to send a message
 * from time to time; useful only while Redis accepts it.
 */
final class SubscriptionProbe implements AutoCloseable {

	private static final Logger logger = OneLineLogger.of(SubscriptionProbe.class);

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

	SubscriptionProbe(SubscriptionConnections connections, Runnable onSilence) {
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
			// Either Redis is away, which others report, or the sender's connection was
			// broken and is closed now
			logger.debug("Could not probe a subscription", ex);
			return AFTER_ERROR;
		}
	}

}
