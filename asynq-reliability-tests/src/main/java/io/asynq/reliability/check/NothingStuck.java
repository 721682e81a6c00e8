package io.asynq.reliability.check;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.asynq.test.ledger.TaskKey;

/**
 * No runnable task waits: pending, active, groups and staged sets are empty, and no
 * scheduled or retry task is overdue.
 */
final class NothingStuck implements Invariant {

	/** Scores are whole seconds, and a forwarder may be busy. */
	private static final Duration OVERDUE = Duration.ofSeconds(10);

	@Override
	public String name() {
		return "nothing-stuck";
	}

	@Override
	public List<Finding> check(Evidence evidence) {
		long overdue = evidence.rules().judgedAt().minus(OVERDUE).getEpochSecond();
		List<Finding> findings = new ArrayList<>();
		evidence.queues().values().forEach((queue) -> {
			for (Container container : List.of(Container.PENDING, Container.ACTIVE, Container.SCHEDULED,
					Container.RETRY, Container.GROUP, Container.STAGED)) {
				for (Containers.Entry entry : queue.containers().in(container)) {
					if (entry.score() < overdue) {
						findings.add(evidence.finding(this, new TaskKey(queue.queue(), entry.id()),
								"still in " + container));
					}
				}
			}
		});
		return findings;
	}

}
