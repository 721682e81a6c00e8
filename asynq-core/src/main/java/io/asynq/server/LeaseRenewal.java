package io.asynq.server;

import java.util.List;
import java.util.Map;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.broker.Lease;
import io.asynq.broker.LeaseKeeper;
import io.asynq.lifecycle.LoopErrorLog;
import org.jspecify.annotations.Nullable;

/**
 * Extends the leases of several queues. None of them costs the others theirs: neither one
 * whose keys make no sense, nor one whose node of a cluster is away.
 */
final class LeaseRenewal {

	private final LeaseKeeper leases;

	private final LoopErrorLog errors;

	private @Nullable BrokerUnavailableException away;

	LeaseRenewal(LeaseKeeper leases, LoopErrorLog errors) {
		this.leases = leases;
		this.errors = errors;
	}

	/**
	 * Extends all leases that can be extended.
	 * @param byQueue the leases by queue
	 * @throws BrokerUnavailableException afterwards, if Redis was away for some
	 */
	void renew(Map<String, List<Lease>> byQueue) {
		this.away = null;
		byQueue.forEach(this::extend);
		if (this.away != null) {
			throw this.away;
		}
	}

	private void extend(String queue, List<Lease> leases) {
		try {
			this.leases.extend(queue, leases);
		}
		catch (BrokerUnavailableException ex) {
			this.away = ex;
		}
		catch (BrokerException ex) {
			this.errors.warn("asynq-heartbeater", ex);
		}
	}

}
