package io.asynq.server;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.LeaseExpiredException;
import io.asynq.broker.EndedLease;
import io.asynq.broker.EndedLeases;
import io.asynq.broker.GroupKeeper;
import io.asynq.broker.LeasedTask;
import io.asynq.broker.Outcome;
import io.asynq.broker.OutcomeResult;
import io.asynq.lifecycle.PeriodicComponent;
import io.asynq.lifecycle.ServerPhase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings back tasks whose server is gone: to retry, or to the archive when their retries
 * are used up, or when they keep taking servers down (asynq K04). A task that no live
 * server lists as its work is brought back as soon as its lease has ended; where one
 * still does, Go's grace is kept.
 */
final class Recoverer extends PeriodicComponent {

	private static final Logger logger = LoggerFactory.getLogger(Recoverer.class);

	private static final int BATCH = 100;

	private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);

	private static final Duration AFTER_END = Duration.ofMillis(50);

	private static final Duration SWEEP_INTERVAL = Duration.ofMinutes(1);

	private final ServerRuntime runtime;

	private final FailureDecision decision;

	private final Map<String, LostLeases> lost = new LinkedHashMap<>();

	private final Map<String, LeaseRepair> repairs = new LinkedHashMap<>();

	/** What live servers list, asked for at most once in a pass. */
	private final ListedTasks listed;

	private final Map<String, CrashCount> crashes = new LinkedHashMap<>();

	/** A server that lives never lets so little time be left of a lease. */
	private Duration lookAhead = Duration.ZERO;

	private Instant nextEnd = Instant.MAX;

	private long lastSweepNanos;

	Recoverer(ServerRuntime runtime, FailureDecision decision) {
		super(ServerPhase.RECOVERER, runtime.autoStartup(), runtime.errors());
		this.runtime = runtime;
		this.decision = decision;
		this.listed = new ListedTasks(runtime.broker().servers());
	}

	@Override
	protected void starting() {
		this.lost.clear();
		this.repairs.clear();
		this.lastSweepNanos = System.nanoTime() - SWEEP_INTERVAL.toNanos();
		ServerOptions options = this.runtime.options();
		Duration lease = this.runtime.broker().leases().leaseDuration();
		Duration beats = options.heartbeatInterval().multipliedBy(2);
		this.lookAhead = (beats.compareTo(lease) < 0) ? lease.minus(beats) : Duration.ZERO;
		for (String queue : options.queues().weights().keySet()) {
			this.lost.put(queue, new LostLeases(options.heartbeatInterval().multipliedBy(2), options.recoverGrace()));
			this.crashes.put(queue, new CrashCount(options.maxCrashes(), lease));
			this.repairs.put(queue, new LeaseRepair(this.runtime, queue));
		}
	}

	@Override
	protected Duration runOnce() {
		this.listed.forget();
		boolean sweep = System.nanoTime() - this.lastSweepNanos >= SWEEP_INTERVAL.toNanos();
		if (sweep) {
			this.lastSweepNanos = System.nanoTime();
		}
		this.nextEnd = Instant.MAX;
		this.runtime.round("asynq-recoverer").each(this.lost.keySet(), (queue) -> visit(queue, sweep));
		return untilNextLook();
	}

	/**
	 * Looks again when the next lease ends that nobody extends, if that is sooner.
	 */
	private Duration untilNextLook() {
		Duration interval = this.runtime.options().recoverInterval();
		Instant now = this.runtime.clock().instant();
		if (!this.nextEnd.isBefore(now.plus(interval))) {
			return interval;
		}
		Duration pause = Duration.between(now, this.nextEnd).plus(AFTER_END);
		return (pause.compareTo(SHORTEST_PAUSE) > 0) ? pause : SHORTEST_PAUSE;
	}

	private void visit(String queue, boolean sweep) {
		try {
			recover(queue);
		}
		catch (BrokerException ex) {
			// For a while, what did not move says nothing: nothing could
			boolean all = ex instanceof BrokerUnavailableException && !this.runtime.broker().isPartitioned();
			(all ? this.lost.keySet() : Set.of(queue)).forEach(this::couldNotMove);
			throw ex;
		}
		finally {
			if (sweep) {
				relistGroups(queue);
				deleteAggregated(queue);
			}
		}
	}

	private void couldNotMove(String queue) {
		this.crashes.get(queue).redisWasAway();
		this.lost.get(queue).forget();
	}

	private void recover(String queue) {
		Instant now = this.runtime.clock().instant();
		LostLeases lost = this.lost.get(queue);
		lost.begin();
		int passedOver = 0;
		EndedLeases page;
		do {
			page = this.runtime.broker().leases().ending(queue, now.plus(this.lookAhead), passedOver, BATCH);
			passedOver += page.listed() - recover(queue, page.leases(), now);
		}
		while (page.more() && isRunning());
		lost.end();
		this.repairs.get(queue).repair(page.even());
	}

	private void relistGroups(String queue) {
		GroupKeeper.Relisted relisted = this.runtime.broker().groups().relist(queue);
		if (relisted.groups() + relisted.sets() > 0) {
			logger.warn("Queue '{}' had {} groups that were not listed and {} sets whose aggregation did not end:"
					+ " both are visible again", queue, relisted.groups(), relisted.sets());
		}
	}

	private void deleteAggregated(String queue) {
		int deleted = this.runtime.broker().groupStore().deleteLeftOver(queue);
		if (deleted > 0) {
			logger.info("Deleted {} tasks of queue '{}' that had been aggregated by a server that is gone", deleted,
					queue);
		}
	}

	private int recover(String queue, List<EndedLease> ended, Instant now) {
		List<EndedLease> lost = new ArrayList<>();
		Set<String> poisonous = new HashSet<>();
		for (EndedLease lease : ended) {
			String id = lease.message().id();
			boolean listed = this.runtime.active().holds(queue, id) || this.listed.contains(id);
			if (this.lost.get(queue).isLost(lease, listed, now, System.nanoTime())) {
				EndedLease counted = listed ? lease : this.crashes.get(queue).count(lease);
				if (this.crashes.get(queue).isTooMany(counted)) {
					poisonous.add(id);
				}
				// Whoever runs it again from the archive gives it another chance
				lost.add(poisonous.contains(id) ? counted.withCrashes(0) : counted);
			}
			else if (!listed && lease.endedAt().isAfter(now) && lease.endedAt().isBefore(this.nextEnd)) {
				this.nextEnd = lease.endedAt();
			}
		}
		return lost.isEmpty() ? 0 : end(this.runtime.broker().leases().claim(queue, lost), poisonous);
	}

	private int end(List<LeasedTask> claimed, Set<String> poisonous) {
		LeaseExpiredException error = new LeaseExpiredException();
		List<Outcome> outcomes = new ArrayList<>(claimed.size());
		for (LeasedTask task : claimed) {
			outcomes.add(poisonous.contains(task.message().id())
					? new Outcome.Archive(task, this.crashes.get(task.message().queue()).reason())
					: this.decision.decide(task, error));
		}
		int ended = 0;
		List<OutcomeResult> results = this.runtime.broker().completer().report(outcomes);
		for (int i = 0; i < results.size(); i++) {
			OutcomeResult result = results.get(i);
			if (result.error() != null) {
				throw result.error();
			}
			if (result.status() == OutcomeResult.Status.APPLIED) {
				ended++;
				this.runtime.counters().recovered.increment();
				tell(outcomes.get(i));
			}
		}
		return ended;
	}

	private static void tell(Outcome outcome) {
		logger.warn("Recovered task {} (type '{}', queue '{}'), whose server lost its lease: {}",
				outcome.message().id(), outcome.message().type(), outcome.message().queue(),
				(outcome instanceof Outcome.Archive archive) ? "archived, " + archive.error()
						: (outcome instanceof Outcome.Retry) ? "to be retried" : "dropped");
	}

}
