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
 * One master of a cluster is enough to be up; paused and slow queues do not count.
 */
final class AsynqHealthIndicator extends AbstractHealthIndicator {

	private final Runnable ping;

	private final Clock clock;

	private final ServerDetails server;

	private final AtomicReference<Instant> unusableSince = new AtomicReference<>();

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
	 * The message only, because with an exception the superclass would log a stack trace
	 * at every check.
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
