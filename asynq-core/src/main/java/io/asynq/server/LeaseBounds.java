package io.asynq.server;

import java.time.Duration;

import io.asynq.internal.lifecycle.LongestTime;

/**
 * Bounds the lease from below: Redis stores the ends of leases in whole seconds, and a
 * late heartbeat must not cost running tasks their leases.
 */
record LeaseBounds(Duration heartbeat) {

	private static final Duration SHORTEST_LEASE = Duration.ofSeconds(3);

	private static final int BEATS_PER_LEASE = 3;

	void require(Duration lease) {
		LongestTime.require("lease-duration", lease);
		if (lease.getNano() != 0 || lease.compareTo(SHORTEST_LEASE) < 0
				|| lease.dividedBy(BEATS_PER_LEASE).compareTo(this.heartbeat) < 0) {
			throw new IllegalArgumentException("lease-duration is " + lease + " and heartbeat-interval is "
					+ this.heartbeat + ", but a lease must be whole seconds, and at least 3 s and " + BEATS_PER_LEASE
					+ " heartbeats: else running tasks lose it and run twice. With"
					+ " this heartbeat, set lease-duration to " + shortest().toSeconds() + "s or more");
		}
	}

	private Duration shortest() {
		Duration beats = this.heartbeat.multipliedBy(BEATS_PER_LEASE);
		Duration seconds = Duration.ofSeconds(beats.getSeconds() + ((beats.getNano() > 0) ? 1 : 0));
		return (seconds.compareTo(SHORTEST_LEASE) < 0) ? SHORTEST_LEASE : seconds;
	}

}
