package io.asynq.server;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.LeaseExpiredException;
import io.asynq.broker.LeaseKeeper;
import io.asynq.broker.Outcome;
import io.asynq.broker.OutcomeResult;
import io.asynq.broker.TaskMessage;
import io.asynq.lifecycle.PeriodicComponent;
import io.asynq.lifecycle.ServerPhase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings back tasks whose server is gone: to retry, or to the archive when their retries
 * are used up (asynq K04). Also finds active tasks that have no lease at all, which Go
 * never recovers; two passes must see them, because a lease may just be on its way.
 */
final class Recoverer extends PeriodicComponent {

	private static final Logger logger = LoggerFactory.getLogger(Recoverer.class);

	private static final int BATCH = 100;

	private final ServerRuntime runtime;

	private final FailureDecision decision;

	private final Map<String, Set<String>> withoutLease = new HashMap<>();

	Recoverer(ServerRuntime runtime, FailureDecision decision) {
		super(ServerPhase.RECOVERER, runtime.autoStartup(), runtime.errors());
		this.runtime = runtime;
		this.decision = decision;
	}

	@Override
	protected void starting() {
		this.withoutLease.clear();
	}

	@Override
	protected Duration runOnce() {
		for (String queue : this.runtime.options().queues().weights().keySet()) {
			try {
				repairLeases(queue);
				recover(queue);
			}
			catch (BrokerUnavailableException ex) {
				throw ex;
			}
			catch (BrokerException ex) {
				this.runtime.errors().warn("asynq-recoverer", ex);
			}
		}
		return this.runtime.options().recoverInterval();
	}

	private void repairLeases(String queue) {
		LeaseKeeper leases = this.runtime.broker().leases();
		Set<String> now = Set.copyOf(leases.withoutLease(queue));
		Set<String> before = this.withoutLease.getOrDefault(queue, Set.of());
		List<String> ours = new ArrayList<>();
		List<String> abandoned = new ArrayList<>();
		for (String id : now) {
			if (before.contains(id)) {
				(this.runtime.active().holds(queue, id) ? ours : abandoned).add(id);
			}
		}
		Instant present = this.runtime.clock().instant();
		if (!ours.isEmpty()) {
			leases.attachEndedLease(queue, ours, present.plus(leases.leaseDuration()));
		}
		if (!abandoned.isEmpty()) {
			int attached = leases.attachEndedLease(queue, abandoned, cutoff(present));
			logger.warn("Queue '{}' had {} active tasks without a lease: they are recovered", queue, attached);
		}
		this.withoutLease.put(queue, now);
	}

	private void recover(String queue) {
		Instant cutoff = cutoff(this.runtime.clock().instant());
		List<TaskMessage> expired;
		boolean moved;
		do {
			expired = this.runtime.broker().leases().expired(queue, cutoff, BATCH);
			moved = !expired.isEmpty() && recover(expired);
		}
		while (moved && expired.size() >= BATCH && isRunning());
	}

	private boolean recover(List<TaskMessage> expired) {
		LeaseExpiredException error = new LeaseExpiredException();
		List<Outcome> outcomes = new ArrayList<>(expired.size());
		for (TaskMessage message : expired) {
			outcomes.add(this.decision.decide(message, error));
		}
		boolean moved = false;
		List<OutcomeResult> results = this.runtime.broker().completer().report(outcomes);
		for (int i = 0; i < results.size(); i++) {
			OutcomeResult result = results.get(i);
			if (result.error() != null) {
				throw result.error();
			}
			if (result.status() == OutcomeResult.Status.APPLIED) {
				moved = true;
				logger.warn("Recovered task {} (type '{}', queue '{}'), whose server lost its lease: {}",
						expired.get(i).id(), expired.get(i).type(), expired.get(i).queue(),
						(outcomes.get(i) instanceof Outcome.Archive) ? "archived" : "to be retried");
			}
		}
		return moved;
	}

	private Instant cutoff(Instant present) {
		return present.minus(this.runtime.options().recoverGrace());
	}

}
