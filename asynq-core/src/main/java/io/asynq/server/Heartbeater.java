package io.asynq.server;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.broker.Lease;
import io.asynq.broker.ServerIdentity;
import io.asynq.broker.ServerSnapshot;
import io.asynq.broker.WorkerSnapshot;
import io.asynq.lifecycle.PeriodicComponent;
import io.asynq.lifecycle.ServerPhase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the leases of all tasks alive whose outcome is not written yet, and the server's
 * entry, which tools and dashboards list (asynq G08, G09). Notices leases that were lost.
 */
final class Heartbeater extends PeriodicComponent {

	private static final Logger logger = LoggerFactory.getLogger(Heartbeater.class);

	/** Each heartbeat that is missed brings leases nearer to their end. */
	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

	private final ServerRuntime runtime;

	private final TaskExecution execution;

	private ServerIdentity identity;

	private Instant startedAt = Instant.EPOCH;

	Heartbeater(ServerRuntime runtime, TaskExecution execution) {
		super(ServerPhase.HEARTBEATER, runtime.autoStartup(), runtime.errors());
		this.runtime = runtime;
		this.execution = execution;
		this.identity = ServerIdentity.ofThisProcess();
		Duration interval = runtime.options().heartbeatInterval();
		longestPauseAfterError((interval.compareTo(LONGEST_PAUSE) < 0) ? interval : LONGEST_PAUSE);
	}

	@Override
	protected void starting() {
		this.identity = ServerIdentity.ofThisProcess();
		this.startedAt = this.runtime.clock().instant();
	}

	@Override
	protected Duration runOnce() {
		Instant now = this.runtime.clock().instant();
		Map<String, List<Lease>> leases = new HashMap<>();
		for (Attempt attempt : this.runtime.active().held()) {
			if (attempt.lease().isValidAt(now)) {
				leases.computeIfAbsent(attempt.queue(), (queue) -> new ArrayList<>()).add(attempt.lease());
			}
			else {
				this.execution.leaseLost(attempt);
			}
		}
		Duration interval = this.runtime.options().heartbeatInterval();
		try {
			new LeaseRenewal(this.runtime.broker().leases(), this.runtime.errors()).renew(leases);
		}
		catch (BrokerUnavailableException ex) {
			if (this.runtime.broker().isPartitioned()) {
				// A node that is away must not make a server look dead that lives
				this.runtime.broker().servers().write(snapshot(), interval.multipliedBy(2));
			}
			throw ex;
		}
		this.runtime.broker().servers().write(snapshot(), interval.multipliedBy(2));
		return interval;
	}

	@Override
	protected void stopped() {
		try {
			this.runtime.broker().servers().clear(this.identity);
		}
		catch (BrokerException ex) {
			logger.info("The server's entry could not be removed, it expires by itself: {}", ex.getMessage());
		}
	}

	private ServerSnapshot snapshot() {
		List<WorkerSnapshot> workers = new ArrayList<>();
		for (Attempt attempt : this.runtime.active().running()) {
			if (!attempt.isCancelled()) {
				workers.add(attempt.snapshot());
			}
		}
		ServerOptions options = this.runtime.options();
		return new ServerSnapshot(this.identity, options.concurrency(), options.queues(),
				this.runtime.status().get().wireName(), this.startedAt, workers);
	}

}
