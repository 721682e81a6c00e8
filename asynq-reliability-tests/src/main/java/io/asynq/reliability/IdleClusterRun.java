package io.asynq.reliability;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.asynq.reliability.check.Finding;
import io.asynq.reliability.check.Verdict;
import io.asynq.reliability.fault.Scale;
import io.asynq.reliability.nodes.IdleCluster;
import io.asynq.reliability.nodes.IdleClusterResult;

/**
 * A cluster changes while a server is idle. The question is how soon the next task
 * starts, so there is no ledger.
 */
final class IdleClusterRun {

	static final String NAME = "cluster-idle";

	private IdleClusterRun() {
	}

	static Outcome run(Settings settings) {
		long start = System.nanoTime();
		int rounds = (settings.scale() == Scale.QUICK) ? 2 : 5;
		IdleClusterResult result = IdleCluster.run(settings.driver(), rounds);
		List<Finding> findings = result.findings()
			.stream()
			.map((finding) -> new Finding(NAME, "next task", finding))
			.toList();
		return new Outcome(NAME, result.faults(),
				new Verdict(result.tasks(), result.tasks(), 0, 0, Map.of(), result.longest(), findings),
				Duration.ofNanos(System.nanoTime() - start).toSeconds());
	}

}
