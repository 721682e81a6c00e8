package io.asynq.server;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

import io.asynq.broker.EndedLease;

/**
 * Decides for one queue whether a lease that has ended was lost, or only looks so because
 * clocks differ. A lease that is still being extended moves, and whoever extends it lists
 * the task, so neither may have happened for a while; that while is measured by a clock
 * that nobody sets, and begins before the lease ends, so that it costs no time where
 * clocks agree. Used by one thread.
 */
final class LostLeases {

	private final Duration settling;

	private final Duration grace;

	private final Map<String, Sighting> sightings = new HashMap<>();

	private int pass;

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
	 * Begins to look at all leases that have ended or soon will.
	 */
	void begin() {
		this.pass++;
	}

	/**
	 * Decides.
	 * @param lease the lease
	 * @param listed whether a server that lives says that it works on the task
	 * @param now the present
	 * @param nanoTime the present, of a clock that nobody sets
	 * @return whether it was lost
	 */
	boolean isLost(EndedLease lease, boolean listed, Instant now, long nanoTime) {
		Sighting before = this.sightings.get(lease.message().id());
		boolean unmoved = before != null && before.endedAt().equals(lease.endedAt());
		Sighting sighting = new Sighting(lease.endedAt(), unmoved ? before.sinceNanos() : nanoTime, this.pass);
		this.sightings.put(lease.message().id(), sighting);
		Duration patience = listed ? this.grace : Duration.ZERO;
		Duration rest = (patience.compareTo(this.settling) > 0) ? patience : this.settling;
		return !lease.endedAt().plus(patience).isAfter(now) && nanoTime - sighting.sinceNanos() >= rest.toNanos();
	}

	/**
	 * Ends the pass: what was not seen in it is forgotten.
	 */
	void end() {
		this.sightings.values().removeIf((sighting) -> sighting.pass() != this.pass);
	}

	/**
	 * Begins anew: while Redis is away, no lease can move.
	 */
	void forget() {
		this.sightings.clear();
	}

	private record Sighting(Instant endedAt, long sinceNanos, int pass) {
	}

}
