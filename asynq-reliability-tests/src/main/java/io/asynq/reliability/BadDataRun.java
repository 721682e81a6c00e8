package io.asynq.reliability;

import java.util.List;
import java.util.Map;

import io.asynq.reliability.baddata.BadData;
import io.asynq.reliability.check.Finding;
import io.asynq.reliability.check.Verdict;
import io.asynq.reliability.fault.Scale;
import io.asynq.test.redis.StandaloneRedis;

/**
 * A run with inconsistent data. It is no fault of a process and needs no ledger, because
 * each corruption knows its expected fate.
 */
final class BadDataRun {

	static final String NAME = "bad-data";

	private static final int QUICK = 1000;

	private static final int FULL = 10_000;

	private BadDataRun() {
	}

	static Outcome run(Settings settings) {
		long start = System.nanoTime();
		try (StandaloneRedis redis = StandaloneRedis.start()) {
			BadData.Result result = BadData.run(redis, settings.seed(),
					(settings.scale() == Scale.QUICK) ? QUICK : FULL);
			List<Finding> findings = result.findings()
				.stream()
				.map((finding) -> new Finding(NAME, "corruption", finding))
				.toList();
			return new Outcome(NAME, result.corruptions(),
					new Verdict(result.healthy(), result.healthy(), 0, 0, Map.of(), result.longestWait(), findings),
					(System.nanoTime() - start) / 1_000_000_000);
		}
	}

}
