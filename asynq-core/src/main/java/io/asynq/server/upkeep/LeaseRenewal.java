package io.asynq.server.upkeep;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.asynq.BrokerUnavailableException;
import io.asynq.broker.TaskUpkeep;
import io.asynq.broker.message.Lease;
import io.asynq.broker.message.LeasedTask;
import io.asynq.server.lane.QueueRound;
import io.asynq.server.work.HeldTasks;

/**
 * Extends leases, queue by queue, so that none delays the others: neither a queue whose
 * keys are invalid, nor one whose cluster node hangs or is down.
 */
public final class LeaseRenewal {

	private final TaskUpkeep leases;

	private final HeldTasks held;

	private final QueueRound round;

	public LeaseRenewal(TaskUpkeep leases, HeldTasks held, QueueRound round) {
		this.leases = leases;
		this.held = held;
		this.round = round;
	}

	/**
	 * Returns whether a node does not answer, so that some leases were not extended.
	 */
	boolean isAnyAway() {
		return this.round.isAnyAway();
	}

	/**
	 * Extends all leases that can be extended, and those of tasks that are held.
	 * @throws BrokerUnavailableException if Redis was unavailable for all
	 */
	void renew(Map<String, List<Lease>> running) {
		Map<String, List<Lease>> byQueue = new HashMap<>(running);
		long now = System.nanoTime();
		for (LeasedTask task : this.held.all()) {
			// One that has ended is noticed before its task starts
			if (task.lease().isValidAt(now)) {
				byQueue.merge(task.message().queue(), List.of(task.lease()), LeaseRenewal::joined);
			}
		}
		this.round.each(byQueue.keySet(), (queue) -> this.leases.extend(queue, byQueue.get(queue)));
	}

	private static List<Lease> joined(List<Lease> first, List<Lease> second) {
		List<Lease> joined = new ArrayList<>(first);
		joined.addAll(second);
		return joined;
	}

}
