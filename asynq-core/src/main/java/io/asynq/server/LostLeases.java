package io.asynq.server;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

import io.asynq.broker.EndedLease;
import org.jspecify.annotations.Nullable;

/**
 * Decides for one queue whether a lease that has ended was lost, or only looks so because
 * clocks differ: a lease that is still being extended moves. Used by one thread.
 */
final class LostLeases {

	private final Duration settling;

	private final Duration grace;

	private final Map<String, Sighting> sightings = new HashMap<>();

	private @Nullable Instant lastPass;

	private int pass;

	/**
	 * Creates the decision.
	 * @param settling in which time a server that lives extends its leases
	 * @param grace how long a server that lives may leave a lease alone
	 */
	LostLeases(Duration settling, Duration grace) {
		this.settling = settling;
		this.grace = grace;
	}

	/**
	 * Begins to look at all leases that have ended.
	 */
	void begin() {
		this.pass++;
	}

	/**
	 * Decides. A lease was seen to end if it was not among those that had ended at the
	 * last pass; one that comes already ended was made by another clock, or ended before
	 * anybody looked.
	 * @param lease the lease
	 * @param listed whether a server that lives says that it works on the task
	 * @param nanoTime the present, of a clock that nobody sets
	 * @return whether it was lost
	 */
	boolean isLost(EndedLease lease, boolean listed, long nanoTime) {
		Sighting before = this.sightings.get(lease.message().id());
		boolean known = before != null && before.endedAt().equals(lease.endedAt());
		Sighting sighting = new Sighting(lease.endedAt(), known ? before.sinceNanos() : nanoTime, this.pass);
		this.sightings.put(lease.message().id(), sighting);
		long nanos = nanoTime - sighting.sinceNanos();
		if (listed) {
			return nanos >= this.grace.toNanos();
		}
		boolean seenToEnd = this.lastPass != null && lease.endedAt().isAfter(this.lastPass);
		return seenToEnd || nanos >= this.settling.toNanos();
	}

	/**
	 * Ends the pass.
	 * @param beganAt the time up to which leases had ended
	 */
	void end(Instant beganAt) {
		this.sightings.values().removeIf((sighting) -> sighting.pass() != this.pass);
		this.lastPass = beganAt;
	}

	private record Sighting(Instant endedAt, long sinceNanos, int pass) {
	}

}
