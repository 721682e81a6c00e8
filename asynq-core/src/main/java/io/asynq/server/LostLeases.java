package io.asynq.server;

import java.time.Duration;

import io.asynq.broker.EndedLease;
import org.jspecify.annotations.Nullable;

/**
 * Decides for one queue whether a lease that has ended was lost, or only looks so because
 * clocks differ: those of Go servers, which write leases by their own, or Redis's own
 * when it was set. A lease that is still being extended moves, and whoever extends it
 * lists the task, so neither may have happened for a while. Safe for concurrent use.
 */
final class LostLeases {

	private final Duration settling;

	private final Duration grace;

	private volatile @Nullable Long doubtNanos;

	/**
	 * Creates the decision.
	 * @param settling in which time a server that lives extends its leases and lists its
	 * tasks
	 * @param grace how long a server that lives may leave a lease alone
	 */
	LostLeases(Duration settling, Duration grace) {
		this.settling = settling;
		this.grace = grace;
	}

	/**
	 * Returns how long it takes until a lease is lost that does not move.
	 * @param lease the lease
	 * @param listed whether a server that lives says that it works on the task
	 * @param nanoTime the present
	 * @return zero or less if it is lost
	 */
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
	 * Says that what stood still until now says nothing: Redis was away, so that nothing
	 * could move, or its clock was set.
	 * @param nanoTime the present
	 */
	void doubt(long nanoTime) {
		this.doubtNanos = nanoTime;
	}

	private static Duration longer(Duration a, Duration b) {
		return (a.compareTo(b) > 0) ? a : b;
	}

}
