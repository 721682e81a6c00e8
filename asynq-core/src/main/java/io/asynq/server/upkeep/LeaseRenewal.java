package io.asynq.server.upkeep;

import java.util.List;
import java.util.Map;

import io.asynq.BrokerUnavailableException;
import io.asynq.broker.TaskUpkeep;
import io.asynq.broker.message.Lease;
import io.asynq.server.lane.QueueRound;

/**
 * Extends leases, queue by queue, so that none delays the others: neither a queue whose
 * keys are invalid, nor one whose cluster node hangs or is down.
 */
public final class LeaseRenewal {

	private final TaskUpkeep leases;

	private final QueueRound round;

	public LeaseRenewal(TaskUpkeep leases, QueueRound round) {
		this.leases = leases;
		this.round = round;
	}

	/**
	 * Returns whether a node does not answer, so that some leases were not extended.
	 */
	boolean isAnyAway() {
		return this.round.isAnyAway();
	}

	/**
	 * Extends all leases that can be extended.
	 * @throws BrokerUnavailableException if Redis was unavailable for all
	 */
	void renew(Map<String, List<Lease>> byQueue) {
		this.round.each(byQueue.keySet(), (queue) -> this.leases.extend(queue, byQueue.get(queue)));
	}

}
