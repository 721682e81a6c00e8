package io.asynq.server;

import java.util.List;
import java.util.Map;

import io.asynq.BrokerUnavailableException;
import io.asynq.broker.Lease;
import io.asynq.broker.LeaseKeeper;

/**
 * Extends the leases of several queues. None of them costs the others theirs: neither one
 * whose keys make no sense, nor one whose node of a cluster hangs or is away.
 */
final class LeaseRenewal {

	private final LeaseKeeper leases;

	private final QueueRound round;

	LeaseRenewal(LeaseKeeper leases, QueueRound round) {
		this.leases = leases;
		this.round = round;
	}

	/**
	 * Extends all leases that can be extended.
	 * @param byQueue the leases by queue
	 * @throws BrokerUnavailableException if Redis was away for all
	 */
	void renew(Map<String, List<Lease>> byQueue) {
		this.round.each(byQueue.keySet(), (queue) -> this.leases.extend(queue, byQueue.get(queue)));
	}

}
