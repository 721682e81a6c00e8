package io.asynq.server;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.asynq.BrokerException;
import io.asynq.broker.Lease;
import io.asynq.broker.ServerIdentity;
import io.asynq.broker.ServerSnapshot;
import io.asynq.broker.WorkerSnapshot;
import io.asynq.lifecycle.PeriodicComponent;
import io.asynq.lifecycle.ServerPhase;
import io.asynq.logging.OneLineLogger;
import org.slf4j.Logger;

/**
 * Keeps the leases of all tasks alive whose outcome is not written yet, and the server's
 * entry, which tools and dashboards list (asynq G08, G09). Notices leases that were lost.
 */
final class Heartbeater extends PeriodicComponent {

	private static final Logger logger = OneLineLogger.of(Heartbeater.class);

	/** Each heartbeat that is missed brings leases nearer to their end. */
	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

	private final ServerRuntime runtime;

	private final TaskExecution execution;

	private final LaneThreads entry;

	private ServerIdentity identity;

	private Instant startedAt = Instant.EPOCH;

	Heartbeater(ServerRuntime runtime, TaskExecution execution) {
		super(ServerPhase.HEARTBEATER, runtime.loops());
		this.runtime = runtime;
		this.execution = execution;
		this.entry = new LaneThreads("asynq-heartbeater", runtime.lanes().threads(), runtime.errors());
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
		long now = System.nanoTime();
		Map<String, List<Lease>> leases = new HashMap<>();
		for (Attempt attempt : this.runtime.active().held()) {
			if (attempt.isAbandoned()) {
				// There was no memory to conclude it; nobody else ever would
				this.execution.settle(attempt);
			}
			if (attempt.lease().isValidAt(now)) {
				leases.computeIfAbsent(attempt.queue(), (queue) -> new ArrayList<>()).add(attempt.lease());
			}
			else {
				this.execution.leaseLost(attempt);
			}
		}
		new LeaseRenewal(this.runtime.broker().leases(), this.runtime.round("asynq-heartbeater")).renew(leases);
		if (this.runtime.lanes().areSeveral()) {
			// The entry's own node may hang, which must not cost any lease
			this.entry.run(Map.of("entry", this::writeEntry));
		}
		else {
			writeEntry();
		}
		Duration interval = this.runtime.options().heartbeatInterval();
		boolean retry = !this.runtime.lanes().away().isEmpty() && interval.compareTo(LONGEST_PAUSE) > 0;
		return retry ? LONGEST_PAUSE : interval;
	}

	@Override
	protected void stopped() {
		lastOutcomes(this::deregister);
	}

	private void deregister() {
		try {
			this.runtime.broker().servers().clear(this.identity);
		}
		catch (BrokerException ex) {
			logger.info("The server's entry could not be removed, it expires by itself: {}", ex.getMessage());
		}
	}

	private void writeEntry() {
		this.runtime.broker().servers().write(snapshot(), this.runtime.options().heartbeatInterval().multipliedBy(2));
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
