package io.asynq.internal.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.asynq.internal.text.OneLineLogger;
import org.slf4j.Logger;

/**
 * Finds active tasks that have no lease at all, which Go never recovers, twice, because a
 * lease may just be being written; used by one thread.
 */
final class LeaseRepair {

	private static final Logger logger = OneLineLogger.of(LeaseRepair.class);

	/** How often to look even if there are as many leases as active tasks. */
	private static final Duration INTERVAL = Duration.ofMinutes(1);

	private final String queue;

	private final TaskUpkeep leases;

	private final ListedTasks listed;

	private Set<String> withoutLease = Set.of();

	private boolean due = true;

	private long lastNanos;

	LeaseRepair(String queue, TaskUpkeep leases, ListedTasks listed) {
		this.queue = queue;
		this.leases = leases;
		this.listed = listed;
	}

	void nothingIsActive() {
		this.withoutLease = Set.of();
	}

	/** A task gets a full lease if this server runs it, else one that has expired. */
	void repair(boolean even) {
		long now = System.nanoTime();
		if (even && this.withoutLease.isEmpty() && !this.due && now - this.lastNanos < INTERVAL.toNanos()) {
			return;
		}
		this.due = false;
		this.lastNanos = now;
		Set<String> found = Set.copyOf(this.leases.withoutLease(this.queue));
		List<String> ours = new ArrayList<>();
		List<String> abandoned = new ArrayList<>();
		for (String id : found) {
			if (this.withoutLease.contains(id)) {
				(this.listed.isOurs(this.queue, id) ? ours : abandoned).add(id);
			}
		}
		if (!ours.isEmpty()) {
			this.leases.attachLease(this.queue, ours, this.leases.leaseDuration());
		}
		if (!abandoned.isEmpty()) {
			int attached = this.leases.attachLease(this.queue, abandoned, Duration.ZERO);
			logger.warn("Queue {} had {} active tasks without a lease: they are recovered", this.queue, attached);
		}
		this.withoutLease = found;
	}

}
