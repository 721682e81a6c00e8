package io.asynq.server;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Whether Redis's clock goes on as that of this process does, which nobody sets. Where it
 * does not it was set, or another Redis answers. Used by one thread.
 */
final class RedisPace {

	private static final Duration TOLERANCE = Duration.ofSeconds(1);

	private @Nullable Instant last;

	private long sentNanos;

	private long receivedNanos;

	/**
	 * Compares a look at Redis's clock with the one before.
	 * @param now the present by Redis's clock
	 * @param sentNanos the nano time before Redis was asked
	 * @param receivedNanos the nano time after it had answered
	 * @return whether it has departed by more than a second
	 */
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
