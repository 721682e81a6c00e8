package io.asynq.internal.worker;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * An expired lease may only seem lost because a Go server writes leases by its own clock,
 * or because Redis's clock was set: it is lost when no live server extends it or lists
 * the task for a while.
 */
final class LostLeases {

	private static final Duration TOLERANCE = Duration.ofSeconds(1);

	private final Duration settling;

	private final Duration grace;

	private volatile @Nullable Long doubtNanos;

	private @Nullable Instant lastNow;

	private long lastSentNanos;

	private long lastReceivedNanos;

	/**
	 * @param settling the time in which a live server extends its leases and lists its
	 * tasks
	 * @param grace how long a live server may leave a lease alone
	 */
	LostLeases(Duration settling, Duration grace) {
		this.settling = settling;
		this.grace = grace;
	}

	Duration untilLost(EndedLease lease, boolean listed, long nanoTime) {
		Duration patience = listed ? this.grace : Duration.ZERO;
		Duration rest = longer(patience, this.settling);
		Duration untilWatched = rest.minus(lease.unmoved());
		Long doubt = this.doubtNanos;
		if (doubt != null) {
			untilWatched = longer(untilWatched, rest.minusNanos(nanoTime - doubt));
		}
		return longer(patience.minus(lease.sinceEnd()), untilWatched);
	}

	/**
	 * If Redis's clock does not run as this process's monotonic clock does, it was set,
	 * or another Redis answers: all leases may seem to have expired at once.
	 */
	boolean isClockSet(Instant now, long sentNanos, long receivedNanos) {
		boolean set = false;
		if (this.lastNow != null) {
			Duration passed = Duration.between(this.lastNow, now);
			Duration least = Duration.ofNanos(sentNanos - this.lastReceivedNanos).minus(TOLERANCE);
			Duration most = Duration.ofNanos(receivedNanos - this.lastSentNanos).plus(TOLERANCE);
			set = passed.compareTo(least) < 0 || passed.compareTo(most) > 0;
		}
		this.lastNow = now;
		this.lastSentNanos = sentNanos;
		this.lastReceivedNanos = receivedNanos;
		if (set) {
			doubt(receivedNanos);
		}
		return set;
	}

	/** Leases may have stood still because Redis was down, or its clock was set. */
	void doubt(long nanoTime) {
		this.doubtNanos = nanoTime;
	}

	private static Duration longer(Duration a, Duration b) {
		return (a.compareTo(b) > 0) ? a : b;
	}

}
