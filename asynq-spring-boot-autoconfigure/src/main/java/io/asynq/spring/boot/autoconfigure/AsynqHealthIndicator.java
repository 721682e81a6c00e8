package io.asynq.spring.boot.autoconfigure;

import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

import io.asynq.AsynqException;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Down if Redis cannot be used, if the server's heartbeat is missed or if a loop is dead;
 * out of service if the server is quiet or was stopped; otherwise up. One master of a
 * cluster is enough. It ignores paused and slow queues.
 */
final class AsynqHealthIndicator extends AbstractHealthIndicator {

	private final Runnable ping;

	private final Clock clock;

	private final ServerDetails server;

	/** When Redis was first found unusable, nothing while it is usable. */
	private final AtomicReference<Instant> unusableSince = new AtomicReference<>();

	/**
	 * @param ping checks that Redis can be used
	 */
	AsynqHealthIndicator(Runnable ping, Clock clock, ServerDetails server) {
		super("The health of asynq could not be told");
		this.ping = ping;
		this.clock = clock;
		this.server = server;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		builder.status(this.server.addTo(builder));
		try {
			this.ping.run();
			this.unusableSince.set(null);
		}
		catch (AsynqException ex) {
			this.unusableSince.compareAndSet(null, this.clock.instant());
			// The message only: with an exception, the superclass would log a stack trace
			// at every check
			builder.down()
				.withDetail("error", String.valueOf(ex.getMessage()))
				.withDetail("since", String.valueOf(this.unusableSince.get()));
		}
	}

}
