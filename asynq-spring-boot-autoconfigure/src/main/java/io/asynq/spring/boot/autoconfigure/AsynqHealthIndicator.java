package io.asynq.spring.boot.autoconfigure;

import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

import io.asynq.AsynqException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * Down if Redis cannot be used, if the server's heartbeat is missed or if a loop is dead
 * or hangs; out of service if the server is quiet or was stopped; otherwise up. One
 * master of a cluster is enough. It ignores paused and slow queues.
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
		Hints hints = new Hints();
		String error = unusable();
		if (error != null) {
			builder.withDetail("error", hints.withoutKnown(error))
				.withDetail("since", String.valueOf(this.unusableSince.get()));
		}
		Status status = this.server.addTo(builder, hints);
		builder.status((error != null) ? Status.DOWN : status);
	}

	/**
	 * Returns why Redis cannot be used: the message only, because with an exception the
	 * superclass would log a stack trace at every check.
	 */
	private @Nullable String unusable() {
		try {
			this.ping.run();
			this.unusableSince.set(null);
			return null;
		}
		catch (AsynqException ex) {
			this.unusableSince.compareAndSet(null, this.clock.instant());
			return String.valueOf(ex.getMessage());
		}
	}

}
