package io.asynq.reliability.check;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.asynq.reliability.load.Rhythm;
import io.asynq.reliability.process.WorkerKind;
import io.asynq.test.ledger.Aggregation;
import io.asynq.test.ledger.Enqueued;
import io.asynq.test.ledger.Fired;
import io.asynq.test.ledger.Run;
import io.asynq.test.ledger.RunOutcome;
import io.asynq.test.ledger.SchedulerLife;
import io.asynq.test.ledger.TaskKey;
import org.jspecify.annotations.Nullable;

/** Some hold at every moment, because scripts move tasks as a whole. */
enum Invariant {

	ONE_CONTAINER(Invariant::oneContainer),

	STATE_IS_CONTAINER(Invariant::stateIsContainer),

	LEASES_MATCH_ACTIVE(Invariant::leasesMatchActive),

	NOTHING_LOST(Invariant::nothingLost),

	NOTHING_STUCK(Invariant::nothingStuck),

	NO_ORPHANS(Invariant::noOrphans),

	NOTHING_LEFT_OVER(Invariant::nothingLeftOver),

	ATTEMPTS_WITHIN_LIMIT(Invariant::attemptsWithinLimit),

	ONLY_ENQUEUED_RAN(Invariant::onlyEnqueuedRan),

	LAST_RUN_DECIDES(Invariant::lastRunDecides),

	COUNTERS_MATCH_LEDGER(Counts::match),

	ARCHIVED_FOR_A_REASON(Invariant::archivedForAReason),

	RESUMED_IN_TIME(Invariant::resumedInTime),

	DOUBLED_RUNS_EXPLAINED(Invariant::doubledRunsExplained),

	AGGREGATED_ONCE(Invariant::aggregatedOnce),

	FIRED_ONCE(Invariant::firedOnce),

	NO_FIRE_MISSING(Invariant::noFireMissing),

	INSPECTORS_AGREE(Invariant::inspectorsAgree);

	/** Scores are whole seconds, and a forwarder may be busy. */
	private static final Duration OVERDUE = Duration.ofSeconds(10);

	/** A scheduler that ends so soon after a fire need not have enqueued it. */
	private static final Duration FIRING = Duration.ofSeconds(2);

	/** How long before its end a scheduler that stood still may be behind. */
	private static final Duration BEHIND = Duration.ofSeconds(30);

	/** How the error texts of a recoverer begin. */
	private static final List<String> CRASHES = List.of("asynq: task lease expired", "asynq: task took down",
			"asynq: the aggregator of the task's group took down");

	private final Check check;

	private final Glance glance;

	Invariant(Check check) {
		this.check = check;
		this.glance = (containers, found) -> {
		};
	}

	Invariant(Glance glance) {
		this.check = (evidence,
				found) -> evidence.queues().values().forEach((queue) -> glance.check(queue.containers(), found));
		this.glance = glance;
	}

	List<Finding> check(Evidence evidence) {
		Found found = new Found(this, evidence, new ArrayList<>());
		this.check.check(evidence, found);
		return found.findings();
	}

	List<Finding> glance(Containers containers) {
		Found found = new Found(this, null, new ArrayList<>());
		this.glance.check(containers, found);
		return found.findings();
	}

	/** As in findings and in the README. */
	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	static boolean isGone(Enqueued task, Evidence evidence) {
		return task.answer() == Enqueued.Answer.ACKNOWLEDGED && !evidence.isThere(task.task())
				&& !evidence.succeeded(task.task());
	}

	/** Returns whether a recoverer archived a task because it crashed its servers. */
	static boolean isCrash(StoredTask task) {
		return isArchived(task) && CRASHES.stream().anyMatch(task.error()::startsWith);
	}

	private static boolean isArchived(StoredTask task) {
		return task.state().equals(Container.ARCHIVED.wireName());
	}

	private static void oneContainer(Containers containers, Found found) {
		Map<String, List<Container>> places = new HashMap<>();
		containers.forEach(
				(container, entry) -> places.computeIfAbsent(entry.id(), (id) -> new ArrayList<>(1)).add(container));
		places.forEach((id, in) -> found.addIf(in.size() > 1, containers.queue() + "/" + id, "stands in " + in));
	}

	private static void stateIsContainer(Containers containers, Found found) {
		containers.forEach((container, entry) -> found.addIf(!entry.state().equals(container.wireName()),
				containers.queue() + "/" + entry.id(), "stands in " + container + ", but its hash "
						+ (entry.state().isEmpty() ? "is missing" : "says " + entry.state())));
	}

	private static void leasesMatchActive(Containers containers, Found found) {
		Set<String> active = ids(containers.in(Container.ACTIVE));
		Set<String> leased = ids(containers.leases());
		active.forEach(
				(id) -> found.addIf(!leased.contains(id), containers.queue() + "/" + id, "is active and has no lease"));
		leased.forEach((id) -> found.addIf(!active.contains(id), containers.queue() + "/" + id,
				"has a lease and is not active"));
	}

	private static Set<String> ids(List<Containers.Entry> entries) {
		return entries.stream().map(Containers.Entry::id).collect(Collectors.toSet());
	}

	private static void nothingLost(Evidence evidence, Found found) {
		evidence.ledger()
			.enqueued()
			.values()
			.forEach((task) -> found.addIf(isGone(task, evidence) && !evidence.mayBeLostByRedis(task), task.task(),
					"acknowledged, never done, and not in Redis"));
	}

	private static void nothingStuck(Evidence evidence, Found found) {
		long overdue = evidence.rules().judgedAt().minus(OVERDUE).getEpochSecond();
		evidence.queues()
			.values()
			.forEach((queue) -> queue.containers()
				.forEach((container, entry) -> found.addIf(
						container != Container.ARCHIVED && container != Container.COMPLETED && entry.score() < overdue,
						new TaskKey(queue.queue(), entry.id()), "still in " + container)));
	}

	private static void noOrphans(Evidence evidence, Found found) {
		evidence.queues().values().forEach((queue) -> {
			Set<String> standing = new HashSet<>();
			queue.containers().forEach((container, entry) -> standing.add(entry.id()));
			queue.tasks()
				.keySet()
				.forEach((id) -> found.addIf(!standing.contains(id), new TaskKey(queue.queue(), id),
						"has a hash, but stands nowhere"));
		});
	}

	private static void nothingLeftOver(Evidence evidence, Found found) {
		evidence.servers().forEach((key) -> found.add(key, "no server and no scheduler runs"));
		evidence.queues().values().forEach((queue) -> {
			queue.containers()
				.leases()
				.forEach((lease) -> found.add(queue.queue() + "/" + lease.id(), "a lease, though nothing runs"));
			queue.locks()
				.forEach((key, holder) -> found.addIf(
						!queue.tasks().containsKey(holder)
								&& !isGoAggregated(new TaskKey(queue.queue(), holder), evidence),
						key, "a lock of task " + holder + ", which is gone"));
			queue.others().forEach((key) -> found.add(key, "a key that nothing needs now"));
		});
	}

	/** Only Go servers leave the locks of tasks that they aggregated. */
	private static boolean isGoAggregated(TaskKey task, Evidence evidence) {
		return evidence.digestsOf(task).stream().anyMatch((digest) -> {
			Aggregation aggregation = evidence.ledger().aggregations().made().get(digest);
			return aggregation != null && WorkerKind.GO.isOf(aggregation.worker());
		});
	}

	private static void attemptsWithinLimit(Evidence evidence, Found found) {
		for (Enqueued task : evidence.ledger().enqueued().values()) {
			int last = evidence.ledger().runsOf(task.task()).stream().mapToInt(Run::attempt).max().orElse(0);
			StoredTask stored = evidence.stored(task.task());
			found.addIf(last > task.maxRetry() || (stored != null && stored.retried() > task.maxRetry()), task.task(),
					"may be retried " + task.maxRetry() + " times");
		}
	}

	private static void onlyEnqueuedRan(Evidence evidence, Found found) {
		Set<TaskKey> ran = new HashSet<>(evidence.ledger().runs().keySet());
		ran.removeAll(evidence.ledger().aggregations().made().keySet());
		ran.removeAll(evidence.ledger().fires().fired().stream().map(Fired::task).collect(Collectors.toSet()));
		ran.addAll(evidence.digests().keySet());
		ran.forEach((task) -> {
			Enqueued enqueued = evidence.ledger().enqueued().get(task);
			found.addIf(enqueued == null || enqueued.answer() == Enqueued.Answer.REFUSED, task, "ran");
		});
	}

	/** The outcome of an attempt that resumed late must have been refused. */
	private static void lastRunDecides(Evidence evidence, Found found) {
		evidence.ledger().runs().keySet().forEach((task) -> {
			Run last = evidence.ledger().decidingRun(task);
			StoredTask stored = evidence.stored(task);
			boolean done = stored == null || stored.state().equals(Container.COMPLETED.wireName());
			found.addIf(last != null && done && !last.ended(RunOutcome.OK) && evidence.succeeded(task), task,
					"is done, though its last attempt did not succeed");
		});
	}

	private static void archivedForAReason(Evidence evidence, Found found) {
		evidence.queues().values().forEach((queue) -> queue.tasks().values().forEach((task) -> {
			TaskKey key = new TaskKey(queue.queue(), task.id());
			List<Run> runs = evidence.ledger().runsOf(key);
			boolean askedFor = !runs.isEmpty() && runs.get(runs.size() - 1).ended(RunOutcome.SKIPPED);
			found.addIf(isArchived(task) && !isCrash(task) && task.retried() < task.maxRetry() && !askedFor, key,
					"is archived and could be retried");
		}));
	}

	private static void resumedInTime(Evidence evidence, Found found) {
		Rules rules = evidence.rules();
		Resumes promised = rules.resumesWithin();
		if (promised == null) {
			return;
		}
		Resumption.of(evidence.ledger())
			.stream()
			.filter((resumption) -> resumption.time()
				.minus(resumption.stoodStill(rules))
				.compareTo(promised.after(resumption.window().worker())) > 0)
			.max(Comparator.comparing(Resumption::time))
			.ifPresent((late) -> found.add(late.window().detail(),
					"%s after %s, in which the machine stood still for %s, instead of %s".formatted(late.work(),
							late.time(), late.stoodStill(rules), promised.after(late.window().worker()))));
	}

	private static void unexplained(List<Repetition> repetitions, Found found) {
		repetitions.forEach(
				(repetition) -> found.addIf(repetition.explainedBy().isEmpty(), repetition.task(), repetition.what()));
	}

	private static void doubledRunsExplained(Evidence evidence, Found found) {
		unexplained(Repetition.runs(evidence), found);
	}

	private static void aggregatedOnce(Evidence evidence, Found found) {
		unexplained(Repetition.aggregations(evidence), found);
		evidence.digests()
			.forEach((member, digests) -> found.addIf(evidence.stored(member) != null, member,
					"is still there, though part of " + digests));
	}

	private static void firedOnce(Evidence evidence, Found found) {
		for (Rhythm rhythm : Rhythm.ALL) {
			Map<Instant, Set<String>> tasks = new HashMap<>();
			fired(rhythm, evidence).forEach((fired) -> {
				tasks.computeIfAbsent(fired.fire(), (fire) -> new TreeSet<>()).add(fired.task().toString());
				found.addIf(!rhythm.firesAt(fired.fire()), fired.task(),
						"is for " + fired.fire() + ", when " + rhythm + " does not fire");
			});
			tasks.forEach((fire, ids) -> found.addIf(ids.size() > 1, rhythm.entry() + " of " + fire,
					"was enqueued as " + ids));
		}
	}

	private static List<Fired> fired(Rhythm rhythm, Evidence evidence) {
		return evidence.ledger()
			.fires()
			.fired()
			.stream()
			.filter((fired) -> fired.entry().equals(rhythm.entry()))
			.toList();
	}

	private static void noFireMissing(Evidence evidence, Found found) {
		for (Rhythm rhythm : Rhythm.ALL) {
			Set<Instant> fired = fired(rhythm, evidence).stream().map(Fired::fire).collect(Collectors.toSet());
			for (SchedulerLife life : evidence.ledger().fires().schedulers()) {
				Instant judgedAt = evidence.rules().judgedAt();
				Instant end = life.to().isBefore(judgedAt) ? life.to() : judgedAt;
				Duration grace = FIRING.plus(evidence.rules().stoodStill(end.minus(BEHIND), end));
				rhythm.fires(life.from().plus(life.ahead()), end.plus(life.ahead()))
					.stream()
					.filter((fire) -> life.covers(fire, grace))
					.forEach((fire) -> found.addIf(fired.add(fire), rhythm.entry() + " of " + fire,
							"no task, though " + life));
			}
		}
	}

	private static void inspectorsAgree(Evidence evidence, Found found) {
		evidence.inspectors().compare(evidence.queues().values(), found);
	}

	private interface Check {

		void check(Evidence evidence, Found found);

	}

	private interface Glance {

		void check(Containers containers, Found found);

	}

	/** The violations of one invariant. */
	record Found(Invariant invariant, @Nullable Evidence evidence, List<Finding> findings) {

		void add(String subject, String detail) {
			this.findings.add(new Finding(this.invariant.toString(), subject, detail));
		}

		void addIf(boolean violated, String subject, String detail) {
			if (violated) {
				add(subject, detail);
			}
		}

		void addIf(boolean violated, TaskKey task, String what) {
			if (violated && this.evidence != null) {
				add(task.toString(), what + "; " + this.evidence.tell(task));
			}
		}

	}

}
