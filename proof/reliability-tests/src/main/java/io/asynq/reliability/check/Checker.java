package io.asynq.reliability.check;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import io.asynq.test.ledger.Ledger;

/** Judges a run from the ledger and Redis alone. Safe for concurrent use. */
public record Checker(RedisView redis, Inspectors inspectors) {

	public List<Finding> glance(Collection<String> queues) {
		List<Finding> findings = new ArrayList<>();
		for (String queue : queues) {
			Containers containers = this.redis.containers(queue);
			for (Invariant invariant : Invariant.values()) {
				findings.addAll(invariant.glance(containers));
			}
		}
		return findings;
	}

	/** Judges a run after everything was processed and all servers have ended. */
	public Verdict judge(Ledger ledger, Rules rules) {
		Evidence evidence = Evidence.of(ledger, this.redis, this.inspectors, rules);
		List<Finding> findings = new ArrayList<>();
		for (Invariant invariant : Invariant.values()) {
			findings.addAll(invariant.check(evidence));
		}
		return new Verdict(ledger.acknowledged().size(), ledger.runs().values().stream().mapToLong(List::size).sum(),
				lostByRedis(evidence), archivedByCrashes(evidence), Repetition.explained(evidence),
				Resumption.longest(ledger), findings);
	}

	private static long lostByRedis(Evidence evidence) {
		return evidence.ledger()
			.enqueued()
			.values()
			.stream()
			.filter((task) -> Invariant.isGone(task, evidence) && evidence.mayBeLostByRedis(task))
			.count();
	}

	private static long archivedByCrashes(Evidence evidence) {
		return evidence.queues()
			.values()
			.stream()
			.flatMap((queue) -> queue.tasks().values().stream())
			.filter(Invariant::isCrash)
			.count();
	}

}
