package io.asynq.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.asynq.broker.LeaseKeeper;
import io.asynq.logging.OneLineLogger;
import org.slf4j.Logger;

/**
 * Finds active tasks of one queue that have no lease at all, which Go never recovers. Two
 * looks must see them, because a lease may just be on its way. Used by one thread.
 */
final class LeaseRepair {

	private static final Logger logger = OneLineLogger.of(LeaseRepair.class);

	/** How often to look though there are as many leases as active tasks. */
	private static final Duration INTERVAL = Duration.ofMinutes(1);

	private final ServerRuntime runtime;

	private final String queue;

	private Set<String> withoutLease = Set.of();

	private boolean due = true;

	private long lastNanos;

	LeaseRepair(ServerRuntime runtime, String queue) {
		this.runtime = runtime;
		this.queue = queue;
	}

	/**
	 * Gives tasks that were without a lease at the last look, too, one: a full one if
	 * this server works on them, else one that has ended.
	 * @param even whether the queue has as many leases as active tasks
	 */
	void repair(boolean even) {
		long now = System.nanoTime();
		if (even && this.withoutLease.isEmpty() && !this.due && now - this.lastNanos < INTERVAL.toNanos()) {
			return;
		}
		this.due = false;
		this.lastNanos = now;
		LeaseKeeper leases = this.runtime.broker().leases();
		Set<String> found = Set.copyOf(leases.withoutLease(this.queue));
		List<String> ours = new ArrayList<>();
		List<String> abandoned = new ArrayList<>();
		for (String id : found) {
			if (this.withoutLease.contains(id)) {
				(this.runtime.active().holds(this.queue, id) ? ours : abandoned).add(id);
			}
		}
		if (!ours.isEmpty()) {
			leases.attachLease(this.queue, ours, leases.leaseDuration());
		}
		if (!abandoned.isEmpty()) {
			int attached = leases.attachLease(this.queue, abandoned, Duration.ZERO);
			logger.warn("Queue '{}' had {} active tasks without a lease: they are recovered", this.queue, attached);
		}
		this.withoutLease = found;
	}

}
