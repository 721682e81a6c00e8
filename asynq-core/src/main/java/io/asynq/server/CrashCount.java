package io.asynq.server;

import java.time.Duration;

import io.asynq.broker.EndedLease;
import org.jspecify.annotations.Nullable;

/**
 * Counts how many servers a task has taken down, so that one that does it again and again
 * ends in the archive. Used by one thread.
 */
final class CrashCount {

	private final int limit;

	private final Duration amnesty;

	private @Nullable Long awayNanos;

	/**
	 * Creates the count.
	 * @param limit at how many crashes a task is archived, 0 for never
	 * @param leaseDuration how long a lease lasts
	 */
	CrashCount(int limit, Duration leaseDuration) {
		this.limit = limit;
		this.amnesty = leaseDuration.multipliedBy(2);
	}

	/**
	 * Says that Redis could not be reached: for a while, a lost lease says nothing about
	 * its server.
	 */
	void redisWasAway() {
		this.awayNanos = System.nanoTime();
	}

	/**
	 * Counts a lease that was lost with its server gone.
	 * @param lease the lease
	 * @return the lease with the new count
	 */
	EndedLease count(EndedLease lease) {
		boolean away = this.awayNanos != null && System.nanoTime() - this.awayNanos < this.amnesty.toNanos();
		return (this.limit == 0 || away || lease.counted()) ? lease : lease.withCrashes(lease.crashes() + 1);
	}

	boolean isTooMany(EndedLease lease) {
		return this.limit > 0 && lease.crashes() >= this.limit;
	}

	/**
	 * Says why a task is archived.
	 * @return the text
	 */
	String reason() {
		return "asynq: task took down " + this.limit + " servers (asynq.server.max-crashes)";
	}

}
