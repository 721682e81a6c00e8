package io.asynq.internal.worker;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * If Redis's clock does not run as this process's monotonic clock does, it was set, or
 * another Redis answers; used by one thread.
 */
final class RedisPace {

	private static final Duration TOLERANCE = Duration.ofSeconds(1);

	private @Nullable Instant last;

	private long sentNanos;

	private long receivedNanos;

	/** Returns whether the clock deviates by more than a second. */
	boolean departs(Instant now, long sentNanos, long receivedNanos) {
		boolean departs = false;
		if (this.last != null) {
			Duration passed = Duration.between(this.last, now);
			Duration least = Duration.ofNanos(sentNanos - this.receivedNanos).minus(TOLERANCE);
			Duration most = Duration.ofNanos(receivedNanos - this.sentNanos).plus(TOLERANCE);
			departs = passed.compareTo(least) < 0 || passed.compareTo(most) > 0;
		}
		this.last = now;
		this.sentNanos = sentNanos;
		this.receivedNanos = receivedNanos;
		return departs;
	}

}
