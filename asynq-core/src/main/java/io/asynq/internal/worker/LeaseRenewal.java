package io.asynq.internal.worker;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.asynq.internal.lane.QueueRound;

/**
 * Goes queue by queue, so that neither a queue whose keys are invalid nor one whose
 * cluster node hangs or is down delays the others.
 */
public final class LeaseRenewal {

	private final TaskUpkeep leases;

	private final ActiveTasks active;

	private final QueueRound round;

	public LeaseRenewal(TaskUpkeep leases, ActiveTasks active, QueueRound round) {
		this.leases = leases;
		this.active = active;
		this.round = round;
	}

	public boolean isAnyAway() {
		return this.round.isAnyAway();
	}

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

}
