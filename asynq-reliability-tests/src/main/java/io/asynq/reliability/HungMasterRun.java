package io.asynq.reliability;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.asynq.reliability.check.Finding;
import io.asynq.reliability.check.Verdict;
import io.asynq.reliability.fault.Scale;
import io.asynq.reliability.fault.Timing;
import io.asynq.reliability.nodes.HungMaster;
import io.asynq.reliability.nodes.HungMasterResult;

/**
 * A cluster master hangs. The question is not the fate of its tasks, which other faults
 * cover, but the cost for queues of other masters, so there is no ledger.
 */
final class HungMasterRun {

	static final String NAME = "hung-master";

	private HungMasterRun() {
	}

	static Outcome run(Settings settings) {
		long start = System.nanoTime();
		Timing timing = Timing.of(settings.scale());
		Duration time = (settings.scale() == Scale.QUICK) ? Duration.ofSeconds(20) : Duration.ofSeconds(60);
		HungMasterResult result = HungMaster.run(timing.properties(), time);
		List<Finding> findings = result.findings()
			.stream()
			.map((finding) -> new Finding(NAME, "healthy queues", finding))
			.toList();
		return new Outcome(NAME, 1,
				new Verdict(result.tasks(), result.tasks(), 0, 0, Map.of(), result.pickUp(), findings),
				(System.nanoTime() - start) / 1_000_000_000);
	}

}
