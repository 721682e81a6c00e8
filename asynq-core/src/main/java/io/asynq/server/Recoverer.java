package io.asynq.server;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.asynq.BrokerException;
import io.asynq.broker.EndedLease;
import io.asynq.broker.EndedLeases;
import io.asynq.broker.GroupKeeper;
import io.asynq.broker.Lease;
import io.asynq.broker.LeasedTask;
import io.asynq.broker.LostAttempt;
import io.asynq.broker.Outcome;
import io.asynq.broker.OutcomeResult;
import io.asynq.lifecycle.PeriodicComponent;
import io.asynq.lifecycle.ServerPhase;
import io.asynq.logging.OneLineLogger;
import org.slf4j.Logger;

/**
 * Brings back tasks whose server is gone: to retry, or to the archive when their retries
 * are used up, or when they keep taking servers down (asynq K04). A task that no live
 * server lists as its work is brought back as soon as its lease has ended; where one
 * still does, Go's grace is kept.
 */
final class Recoverer extends PeriodicComponent {

	private static final Logger logger = OneLineLogger.of(Recoverer.class);

	private static final int BATCH = 100;

	private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);

	private static final Duration AFTER_END = Duration.ofMillis(50);

	private static final Duration LONGEST_GAP = Duration.ofSeconds(10);

	private static final Duration SWEEP_INTERVAL = Duration.ofMinutes(1);

	private final ServerRuntime runtime;

	private final RecoveryDecision decision;

	private final Map<String, LostLeases> lost = new LinkedHashMap<>();

	private final Map<String, LeaseRepair> repairs = new LinkedHashMap<>();

	/** What live servers list, asked for at most once in a pass. */
	private final ListedTasks listed;

	private final Map<String, CrashCount> crashes = new LinkedHashMap<>();

	/** A server that lives never lets so little time be left of a lease. */
	private Duration lookAhead = Duration.ZERO;

	/** What was seen before a longer time without a look counts no more. */
	private Duration longestGap = Duration.ZERO;

	private final Map<String, RedisPace> paces = new LinkedHashMap<>();

	/** The nano time at which the next lease is lost that nobody extends, by queue. */
	private final Map<String, Long> nextLosses = new ConcurrentHashMap<>();

	private long lastSweepNanos;

	Recoverer(ServerRuntime runtime, FailureDecision decision) {
		super(ServerPhase.RECOVERER, runtime.loops());
		this.runtime = runtime;
		this.decision = new RecoveryDecision(decision, runtime.options().stuckHandlerTimeout());
		this.listed = new ListedTasks(runtime.broker().servers(), runtime.lanes(), runtime.errors());
	}

	@Override
	protected void starting() {
		this.decision.start();
		this.lost.clear();
		this.nextLosses.clear();
		this.repairs.clear();
		this.lastSweepNanos = System.nanoTime() - SWEEP_INTERVAL.toNanos();
		ServerOptions options = this.runtime.options();
		Duration lease = this.runtime.broker().leases().leaseDuration();
		Duration beats = options.heartbeatInterval().multipliedBy(2);
		this.lookAhead = (beats.compareTo(lease) < 0) ? lease.minus(beats) : Duration.ZERO;
		Duration intervals = options.recoverInterval().multipliedBy(2);
		this.longestGap = (LONGEST_GAP.compareTo(intervals) > 0) ? LONGEST_GAP : intervals;
		for (String queue : options.queues().weights().keySet()) {
			this.lost.put(queue, new LostLeases(beats, options.recoverGrace()));
			this.paces.put(queue, new RedisPace());
			this.crashes.put(queue, new CrashCount(options.maxCrashes(), lease));
			this.repairs.put(queue, new LeaseRepair(this.runtime, queue));
		}
	}

	@Override
	protected void stopping() {
		this.decision.end();
	}

	@Override
	protected Duration runOnce() {
		this.listed.forget();
		boolean sweep = System.nanoTime() - this.lastSweepNanos >= SWEEP_INTERVAL.toNanos();
		if (sweep) {
			this.lastSweepNanos = System.nanoTime();
		}
		this.runtime.round("asynq-recoverer")
			.each(this.lost.keySet(), (queue) -> visit(queue, sweep), this::couldNotMove);
		return untilNextLook();
	}

	/**
	 * Looks again when the next lease is lost that nobody extends, if that is sooner.
	 */
	private Duration untilNextLook() {
		Duration interval = this.runtime.options().recoverInterval();
		long now = System.nanoTime();
		long next = interval.toNanos();
		for (long loss : this.nextLosses.values()) {
			next = Math.min(next, loss - now);
		}
		if (next >= interval.toNanos()) {
			return interval;
		}
		Duration pause = Duration.ofNanos(next).plus(AFTER_END);
		return (pause.compareTo(SHORTEST_PAUSE) > 0) ? pause : SHORTEST_PAUSE;
	}

	private void visit(String queue, boolean sweep) {
		try {
			recover(queue);
		}
		catch (BrokerException ex) {
			couldNotMove(queue);
			throw ex;
		}
		finally {
			if (sweep) {
				relistGroups(queue);
				deleteAggregated(queue);
				countCrashedAggregators(queue);
			}
		}
	}

	/**
	 * For a while, what did not move says nothing: nothing could.
	 */
	private void couldNotMove(String queue) {
		this.crashes.get(queue).redisWasAway();
		this.lost.get(queue).doubt(System.nanoTime());
	}

	private void recover(String queue) {
		this.nextLosses.remove(queue);
		int passedOver = 0;
		EndedLeases page;
		do {
			long sentNanos = System.nanoTime();
			page = this.runtime.broker().leases().ending(queue, this.lookAhead, this.longestGap, passedOver, BATCH);
			compareClocks(queue, page.now(), sentNanos);
			passedOver += page.listed() - recover(queue, page.leases());
		}
		while (page.more() && goesOn());
		this.repairs.get(queue).repair(page.even());
	}

	/**
	 * By a clock that was set all leases may have ended at once. In the time of two
	 * heartbeats whoever lives moves his.
	 */
	private void compareClocks(String queue, Instant now, long sentNanos) {
		long nanoTime = System.nanoTime();
		if (this.paces.get(queue).departs(now, sentNanos, nanoTime)) {
			this.lost.get(queue).doubt(nanoTime);
			logger.warn("Queue '{}': the clock of Redis was set, or another Redis has taken over: for two heartbeats"
					+ " no task is recovered", queue);
		}
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

	private void countCrashedAggregators(String queue) {
		int counted = this.runtime.broker().aggregators().countCrashed(queue);
		if (counted > 0) {
			logger.warn("Queue '{}': {} aggregators did not end before their servers; how often a group may do that is"
					+ " bounded by 'asynq.server.max-crashes'", queue, counted);
		}
	}

	private int recover(String queue, List<EndedLease> ended) {
		List<EndedLease> lost = new ArrayList<>();
		Set<String> notBegun = new HashSet<>();
		for (EndedLease lease : ended) {
			String id = lease.message().id();
			boolean listed = this.runtime.active().holds(queue, id) || this.listed.contains(id);
			long nanoTime = System.nanoTime();
			Duration untilLost = this.lost.get(queue).untilLost(lease, listed, nanoTime);
			if (untilLost.isZero() || untilLost.isNegative()) {
				lost.add(listed ? lease : this.crashes.get(queue).count(lease));
				if (hadNotBegun(lease.attempt())) {
					notBegun.add(id);
				}
			}
			else if (!listed) {
				this.nextLosses.merge(queue, nanoTime + untilLost.toNanos(), (p, q) -> (p - q < 0) ? p : q);
			}
		}
		return lost.isEmpty() ? 0 : end(queue, lost, notBegun);
	}

	private static boolean hadNotBegun(LostAttempt attempt) {
		return attempt.beginning() == LostAttempt.Beginning.NOT_BEGUN && !attempt.counted();
	}

	/**
	 * Claims tasks only when it is known what becomes of them: of servers that ask slow
	 * policies in between, each would take the tasks from the others before they say so.
	 */
	private int end(String queue, List<EndedLease> lost, Set<String> notBegun) {
		Map<String, Outcome> decided = new HashMap<>();
		outcomes(queue, lost, notBegun).forEach((outcome) -> decided.put(outcome.message().id(), outcome));
		List<EndedLease> known = lost.stream().filter((lease) -> decided.containsKey(lease.message().id())).toList();
		List<LeasedTask> claimed = this.runtime.broker().leases().claim(queue, known);
		return report(claimed.stream().map((task) -> withTask(decided.get(task.message().id()), task)).toList());
	}

	private List<Outcome> outcomes(String queue, List<EndedLease> lost, Set<String> notBegun) {
		CrashCount crashes = this.crashes.get(queue);
		List<Outcome> outcomes = new ArrayList<>(lost.size());
		List<LeasedTask> failed = new ArrayList<>();
		for (EndedLease ended : lost) {
			String id = ended.message().id();
			LeasedTask task = new LeasedTask(ended.message(), new Lease(queue, id, "", System.nanoTime()),
					ended.record());
			if (crashes.isTooMany(task.record())) {
				outcomes.add(new Outcome.Archive(task, crashes.reason(task.record())));
			}
			else if (notBegun.contains(id)) {
				outcomes.add(new Outcome.Requeue(task));
			}
			else {
				failed.add(task);
			}
		}
		outcomes.addAll(this.decision.decide(failed));
		return outcomes;
	}

	private static Outcome withTask(Outcome decided, LeasedTask claimed) {
		if (decided instanceof Outcome.Archive archive) {
			return new Outcome.Archive(claimed, archive.error());
		}
		return (decided instanceof Outcome.Retry retry)
				? new Outcome.Retry(claimed, retry.error(), retry.due(), retry.failure())
				: new Outcome.Requeue(claimed);
	}

	private int report(List<Outcome> outcomes) {
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
						: (outcome instanceof Outcome.Retry) ? "to be retried" : (outcome instanceof Outcome.Requeue)
								? "put back, its handler had not begun" : "dropped");
	}

}
