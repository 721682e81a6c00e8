package io.asynq.internal.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

import io.asynq.AsynqException;
import io.asynq.TaskState;
import io.asynq.event.ArchiveReason;
import io.asynq.event.TaskEvent;
import io.asynq.event.TaskFacts;
import io.asynq.internal.event.TaskEvents;
import io.asynq.internal.lane.WorkFinder.Found;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.server.ServerOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Remembers from start to stop what was seen of the queue's leases; used by one thread at
 * a time.
 */
public final class QueueRecovery {

	private static final Logger logger = OneLineLogger.of(QueueRecovery.class);

	private static final int BATCH = 100;

	private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);

	private static final Duration AFTER_END = Duration.ofMillis(50);

	private static final Duration LONGEST_GAP = Duration.ofSeconds(10);

	private static final Duration REPAIR_INTERVAL = Duration.ofMinutes(1);

	private final String queue;

	private final Duration interval;

	private final TaskUpkeep leases;

	private final ListedTasks listed;

	private final RecoveryDecision decision;

	private final TaskCompleter completer;

	private final ServerCounters counters;

	private final TaskEvents events;

	private final LostLeases lost;

	private final CrashCount crashes;

	/** A live server never lets a lease get so close to its end. */
	private final Duration lookAhead;

	/** Observations from before a longer gap do not count. */
	private final Duration longestGap;

	private volatile @Nullable Long nextLoss;

	/** Active tasks that had no lease at all when they were last looked at. */
	private Set<String> withoutLease = Set.of();

	private @Nullable Long lastRepairNanos;

	public QueueRecovery(String queue, ServerOptions options, TaskUpkeep leases, ListedTasks listed,
			RecoveryDecision decision, TaskCompleter completer, ServerCounters counters, TaskEvents events) {
		this.queue = queue;
		this.interval = options.recoverInterval();
		this.leases = leases;
		this.listed = listed;
		this.decision = decision;
		this.completer = completer;
		this.counters = counters;
		this.events = events;
		Duration lease = leases.leaseDuration();
		Duration beats = options.heartbeatInterval().multipliedBy(2);
		this.lookAhead = (beats.compareTo(lease) < 0) ? lease.minus(beats) : Duration.ZERO;
		Duration intervals = this.interval.multipliedBy(2);
		this.longestGap = (LONGEST_GAP.compareTo(intervals) > 0) ? LONGEST_GAP : intervals;
		this.lost = new LostLeases(beats, options.recoverGrace());
		this.crashes = new CrashCount(options.maxCrashes(), lease);
	}

	String queue() {
		return this.queue;
	}

	void recover(BooleanSupplier shouldContinue) {
		this.nextLoss = null;
		int passedOver = 0;
		EndedLease.Page page;
		do {
			long sentNanos = System.nanoTime();
			page = this.leases.ending(this.queue, this.lookAhead, this.longestGap, passedOver, BATCH);
			compareClocks(page.now(), sentNanos, System.nanoTime());
			passedOver += page.listed() - recover(page.leases());
		}
		while (page.more() && shouldContinue.getAsBoolean());
		repair(page.even());
	}

	void nothingIsActive(Found found) {
		this.nextLoss = null;
		compareClocks(found.now(), found.sentNanos(), found.receivedNanos());
		this.withoutLease = Set.of();
	}

	/** Nothing could move, so for a while standing still proves nothing. */
	void redisWasAway() {
		this.crashes.redisWasAway();
		this.lost.doubt(System.nanoTime());
	}

	Duration untilNextLook() {
		Long loss = this.nextLoss;
		long left = (loss != null) ? loss - System.nanoTime() : Long.MAX_VALUE;
		if (left >= this.interval.toNanos()) {
			return this.interval;
		}
		Duration pause = Duration.ofNanos(left).plus(AFTER_END);
		return (pause.compareTo(SHORTEST_PAUSE) > 0) ? pause : SHORTEST_PAUSE;
	}

	private void compareClocks(Instant now, long sentNanos, long receivedNanos) {
		if (this.lost.isClockSet(now, sentNanos, receivedNanos)) {
			logger.warn("Queue {}: the clock of Redis was set, or another Redis has taken over:"
					+ " no task is recovered for two heartbeats", this.queue);
		}
	}

	private int recover(List<EndedLease> ended) {
		List<EndedLease> lost = new ArrayList<>();
		for (EndedLease lease : ended) {
			boolean listed = this.listed.contains(this.queue, lease.message().id());
			long nanoTime = System.nanoTime();
			Duration untilLost = this.lost.untilLost(lease, listed, nanoTime);
			if (untilLost.isZero() || untilLost.isNegative()) {
				lost.add(listed ? lease : this.crashes.count(lease));
			}
			else if (!listed) {
				noteLoss(nanoTime + untilLost.toNanos());
			}
		}
		return lost.isEmpty() ? 0 : end(lost);
	}

	private void noteLoss(long at) {
		Long known = this.nextLoss;
		this.nextLoss = (known != null && known - at < 0) ? known : (Long) at;
	}

	private static boolean hadNotBegun(LostAttempt attempt) {
		return attempt.beginning() == LostAttempt.Beginning.NOT_BEGUN && !attempt.counted();
	}

	/**
	 * Claims only what is decided: during slow policies servers would take tasks from
	 * each other before any outcome is written.
	 */
	private int end(List<EndedLease> lost) {
		Map<String, Outcome> decided = new HashMap<>();
		decide(lost).forEach((outcome) -> decided.put(outcome.message().id(), outcome));
		List<EndedLease> known = lost.stream().filter((lease) -> decided.containsKey(lease.message().id())).toList();
		List<LeasedTask> claimed = this.leases.claim(this.queue, known);
		return report(claimed.stream().map((task) -> withTask(decided.get(task.message().id()), task)).toList());
	}

	/** Those that Redis does not take are looked for again. */
	int report(List<Outcome> outcomes) {
		int ended = 0;
		AsynqException error = null;
		List<OutcomeResult> results = this.completer.report(outcomes);
		for (int i = 0; i < results.size(); i++) {
			OutcomeResult result = results.get(i);
			error = (error != null) ? error : result.error();
			if (result.status() == OutcomeResult.Status.APPLIED) {
				ended++;
				Outcome outcome = result.applied(outcomes.get(i));
				count(outcome);
				TaskMdc.during(outcome.message(), () -> log(outcome));
				if (this.events.isOn()) {
					tell(outcome);
				}
			}
		}
		if (error != null) {
			throw error;
		}
		return ended;
	}

	private void count(Outcome outcome) {
		this.counters.recovered.increment();
		CrashRecord record = outcome.task().record();
		if (record.crashes() > 0) {
			this.counters.crashed.increment();
		}
		if (outcome instanceof Outcome.Archive) {
			this.counters.archived.increment();
			if (this.crashes.isTooMany(record)) {
				this.counters.poisoned.increment();
			}
		}
	}

	private void tell(Outcome outcome) {
		TaskFacts facts = outcome.message().facts();
		if (outcome instanceof Outcome.Done) {
			this.events.tell(new TaskEvent.Revoked(facts, null));
			return;
		}
		TaskState state = (outcome instanceof Outcome.Archive) ? TaskState.ARCHIVED
				: (outcome instanceof Outcome.Retry) ? TaskState.RETRY : TaskState.PENDING;
		this.events.tell(new TaskEvent.Recovered(facts, state));
		outcome.tell(this.events, facts, null);
	}

	private static void log(Outcome outcome) {
		List<String> deaths = outcome.task().record().deaths();
		// asynq does not store who has a task; we do, from a task's first death on
		String servers = deaths.isEmpty() ? "" : " (died with it: " + String.join(", ", deaths) + ")";
		logger.warn("Recovered task {} ({}) in queue {}, whose server{} lost its lease: {}", outcome.message().id(),
				outcome.message().type(), outcome.message().queue(), servers,
				(outcome instanceof Outcome.Archive archive) ? "archived, " + archive.error()
						: (outcome instanceof Outcome.Retry) ? "will be retried" : (outcome instanceof Outcome.Done)
								? "deleted, because it was cancelled" : "put back, because its handler had not begun");
	}

	/**
	 * Go never recovers active tasks that have no lease at all. They are looked for
	 * twice, because a lease may just be being written, and get a full one if this server
	 * runs them, else one that has expired.
	 * @param even whether there are as many leases as active tasks
	 */
	private void repair(boolean even) {
		Long last = this.lastRepairNanos;
		long now = System.nanoTime();
		if (even && this.withoutLease.isEmpty() && last != null && now - last < REPAIR_INTERVAL.toNanos()) {
			return;
		}
		this.lastRepairNanos = now;
		Set<String> found = Set.copyOf(this.leases.withoutLease(this.queue));
		Map<Boolean, List<String>> ours = found.stream()
			.filter(this.withoutLease::contains)
			.collect(Collectors.partitioningBy((id) -> this.listed.isOurs(this.queue, id)));
		if (!ours.get(true).isEmpty()) {
			this.leases.attachLease(this.queue, ours.get(true), this.leases.leaseDuration());
		}
		if (!ours.get(false).isEmpty()) {
			int attached = this.leases.attachLease(this.queue, ours.get(false), Duration.ZERO);
			logger.warn("Queue {} had {} active tasks without a lease: they are recovered", this.queue, attached);
		}
		this.withoutLease = found;
	}

	private List<Outcome> decide(List<EndedLease> lost) {
		List<Outcome> outcomes = new ArrayList<>(lost.size());
		List<LeasedTask> failed = new ArrayList<>();
		for (EndedLease ended : lost) {
			LeasedTask task = new LeasedTask(ended.message(),
					new Lease(this.queue, ended.message().id(), "", System.nanoTime()), ended.record());
			if (this.crashes.isTooMany(task.record())) {
				outcomes.add(new Outcome.Archive(task, this.crashes.reason(task.record()), ArchiveReason.CRASHES));
			}
			else if (hadNotBegun(ended.attempt())) {
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
			return new Outcome.Archive(claimed, archive.error(), archive.reason());
		}
		return (decided instanceof Outcome.Retry retry)
				? new Outcome.Retry(claimed, retry.error(), retry.due(), retry.failure())
				: new Outcome.Requeue(claimed);
	}

}
