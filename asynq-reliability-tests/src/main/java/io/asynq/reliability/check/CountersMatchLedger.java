package io.asynq.reliability.check;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.asynq.test.ledger.Run;
import io.asynq.test.ledger.RunOutcome;

/**
 * The counters of a queue match its tasks: exactly, unless Redis may have forgotten some
 * writes, which widens the bounds by the affected runs.
 */
final class CountersMatchLedger implements Invariant {

	@Override
	public String name() {
		return "counters-match-ledger";
	}

	@Override
	public List<Finding> check(Evidence evidence) {
		List<Finding> findings = new ArrayList<>();
		evidence.queues().values().forEach((queue) -> {
			ExpectedCounts expected = ExpectedCounts.of(queue.queue(), evidence);
			long unsure = unsure(queue.queue(), evidence);
			compare(queue.queue(), "processed", queue.processed(), expected.processed(), unsure, findings);
			compare(queue.queue(), "failed", queue.failed(), expected.failed(), unsure, findings);
			if (evidence.ledger().windows().isEmpty()) {
				long failures = ends(queue.queue(), evidence, RunOutcome.FAILED, RunOutcome.SKIPPED);
				long all = failures + ends(queue.queue(), evidence, RunOutcome.OK);
				compare(queue.queue(), "processed", queue.processed(), all, 0, findings);
				compare(queue.queue(), "failed", queue.failed(), failures, 0, findings);
			}
		});
		return findings;
	}

	private void compare(String queue, String counter, long actual, long expected, long unsure,
			List<Finding> findings) {
		if (Math.abs(actual - expected) > unsure) {
			findings.add(new Finding(name(), queue, counter + " is " + actual + ", the ledger says " + expected
					+ ((unsure > 0) ? " ± " + unsure : "")));
		}
	}

	private static long unsure(String queue, Evidence evidence) {
		if (evidence.rules().redisMayLose().isZero()) {
			return 0;
		}
		return runs(queue, evidence)
			.filter((run) -> evidence.ledger()
				.windows()
				.stream()
				.anyMatch((window) -> !run.start().isAfter(window.end()) && (run.end() == null
						|| !run.end().isBefore(window.start().minus(evidence.rules().redisMayLose())))))
			.count();
	}

	private static long ends(String queue, Evidence evidence, RunOutcome... outcomes) {
		List<RunOutcome> wanted = List.of(outcomes);
		return runs(queue, evidence).filter((run) -> run.outcome() != null && wanted.contains(run.outcome())).count();
	}

	private static Stream<Run> runs(String queue, Evidence evidence) {
		return evidence.ledger()
			.runs()
			.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().queue().equals(queue))
			.flatMap((entry) -> entry.getValue().stream());
	}

}
