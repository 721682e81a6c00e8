package io.asynq.reliability.check;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import io.asynq.test.ledger.Ledger;

/** Judges a run from the ledger and Redis alone. Safe for concurrent use. */
public final class Checker {

	private static final List<ContainerInvariant> AT_EVERY_MOMENT = List.of(new OneContainer(), new StateIsContainer(),
			new LeasesMatchActive());

	private final RedisView redis;

	private final DoubledRuns doubledRuns = new DoubledRuns();

	private final AggregatedOnce aggregatedOnce = new AggregatedOnce();

	private final List<Invariant> invariants;

	public Checker(RedisView redis, Inspectors inspectors) {
		this.redis = redis;
		this.invariants = new ArrayList<>(AT_EVERY_MOMENT);
		this.invariants.addAll(List.of(new NothingLost(), new NothingStuck(), new NoOrphans(), new NothingLeftOver(),
				new AttemptsWithinLimit(), new OnlyEnqueuedRan(), new LastRunDecides(), new CountersMatchLedger(),
				new ArchivedForAReason(), new ResumedInTime(), this.doubledRuns, this.aggregatedOnce, new FiredOnce(),
				new NoFireMissing(), new InspectorsAgree(inspectors)));
	}

	public List<Finding> glance(Collection<String> queues) {
		List<Finding> findings = new ArrayList<>();
		for (String queue : queues) {
			Containers containers = this.redis.containers(queue);
			AT_EVERY_MOMENT.forEach((invariant) -> findings.addAll(invariant.check(containers)));
		}
		return findings;
	}

	/** Judges a run after everything was processed and all servers have ended. */
	public Verdict judge(Ledger ledger, Rules rules) {
		Map<String, QueueView> queues = new TreeMap<>();
		ledger.queues().forEach((queue) -> queues.put(queue, this.redis.queue(queue)));
		Set<String> shown = new TreeSet<>(this.redis.servers());
		shown.addAll(this.redis.histories());
		Evidence evidence = new Evidence(ledger, queues, new Digests(ledger, queues), shown, rules);
		List<Finding> findings = new ArrayList<>();
		this.invariants.forEach((invariant) -> findings.addAll(invariant.check(evidence)));
		return new Verdict(ledger.acknowledged().size(), ledger.runs().values().stream().mapToLong(List::size).sum(),
				lostByRedis(evidence), archivedByCrashes(evidence), explained(evidence), Resumption.longest(ledger),
				findings);
	}

	private Map<String, Integer> explained(Evidence evidence) {
		Map<String, Integer> explained = this.doubledRuns.explained(evidence);
		this.aggregatedOnce.explained(evidence).forEach((fault, count) -> explained.merge(fault, count, Integer::sum));
		return explained;
	}

	private static long lostByRedis(Evidence evidence) {
		return evidence.ledger()
			.enqueued()
			.values()
			.stream()
			.filter((task) -> NothingLost.isGone(task, evidence) && evidence.mayBeLostByRedis(task))
			.count();
	}

	private static long archivedByCrashes(Evidence evidence) {
		return evidence.queues()
			.values()
			.stream()
			.flatMap((queue) -> queue.tasks().values().stream())
			.filter(ArchivedForAReason::isCrash)
			.count();
	}

}
