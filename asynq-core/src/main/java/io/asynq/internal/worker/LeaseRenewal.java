package io.asynq.internal.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.asynq.internal.lane.QueueRound;
import io.asynq.internal.text.OneLineLogger;
import org.slf4j.Logger;

/**
 * Renews the leases of all tasks that this server has taken, and puts back those that
 * nobody works on: at once if their leases have ended, after a minute what something
 * unforeseen has kept from its worker; used by one thread.
 */
public final class LeaseRenewal {

	private static final Logger logger = OneLineLogger.of(LeaseRenewal.class);

	private static final Duration LONGEST_ADRIFT = Duration.ofMinutes(1);

	private final TaskUpkeep leases;

	private final ActiveTasks active;

	private final TakenTasks taken;

	private final QueueRound round;

	/** Since when nobody works on a task, in nanoseconds. */
	private Map<Lease, Long> since = Map.of();

	public LeaseRenewal(TaskUpkeep leases, ActiveTasks active, TakenTasks taken, QueueRound round) {
		this.leases = leases;
		this.active = active;
		this.taken = taken;
		this.round = round;
	}

	public boolean isAnyAway() {
		return this.round.isAnyAway();
	}

	/** Neither a queue with invalid keys nor one whose master hangs delays the others. */
	public void renew() {
		Map<String, List<Lease>> byQueue = new HashMap<>();
		long now = System.nanoTime();
		for (LeasedTask task : this.active.taken()) {
			if (task.lease().isValidAt(now)) {
				byQueue.computeIfAbsent(task.lease().queue(), (queue) -> new ArrayList<>()).add(task.lease());
			}
		}
		this.round.each(byQueue.keySet(), (queue) -> this.leases.extend(queue, byQueue.get(queue)));
	}

	public void putBackAdrift() {
		putBackAdrift(LONGEST_ADRIFT);
	}

	public void putBackAdrift(Duration longest) {
		long now = System.nanoTime();
		Map<Lease, Long> adrift = new HashMap<>();
		List<LeasedTask> back = new ArrayList<>();
		for (LeasedTask task : this.active.taken()) {
			if (this.active.isAdrift(task)) {
				long first = this.since.getOrDefault(task.lease(), now);
				adrift.put(task.lease(), first);
				if (!task.lease().isValidAt(now) || now - first >= longest.toNanos()) {
					back.add(task);
				}
			}
		}
		this.since = adrift;
		for (LeasedTask task : back) {
			if (task.lease().isValidAt(now)) {
				TaskMdc.during(task.message(), () -> logger.warn(
						"No worker has had task {} ({}) of queue {} for {}, although it was taken: it is put back",
						task.message().id(), task.message().type(), task.message().queue(), longest));
			}
		}
		if (!back.isEmpty()) {
			this.taken.putBackAdrift(back);
		}
	}

}
