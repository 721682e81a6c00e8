package io.asynq.reliability.check;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.asynq.reliability.check.Invariant.Found;
import io.asynq.test.ledger.Run;
import io.asynq.test.ledger.RunOutcome;
import io.asynq.test.ledger.TaskKey;

/**
 * Each counted failure, a lost lease included, increments the retries of its task in the
 * same script, so the retries at the last attempt tell how often a task was counted
 * before.
 */
record Counts(long processed, long failed) {

	static void match(Evidence evidence, Found found) {
		evidence.queues().values().forEach((queue) -> {
			Counts actual = new Counts(queue.processed(), queue.failed());
			expected(queue.queue(), evidence).compare(actual, queue.queue(), unsure(queue.queue(), evidence), found);
			if (evidence.ledger().windows().isEmpty()) {
				long failures = ends(queue.queue(), evidence, RunOutcome.FAILED, RunOutcome.SKIPPED);
				new Counts(failures + ends(queue.queue(), evidence, RunOutcome.OK), failures).compare(actual,
						queue.queue(), 0, found);
			}
		});
	}

	private void compare(Counts actual, String queue, long unsure, Found found) {
		compare("processed", actual.processed, this.processed, queue, unsure, found);
		compare("failed", actual.failed, this.failed, queue, unsure, found);
	}

	private static void compare(String counter, long actual, long expected, String queue, long unsure, Found found) {
		found.addIf(Math.abs(actual - expected) > unsure, queue,
				counter + " is " + actual + ", the ledger says " + expected + ((unsure > 0) ? " ± " + unsure : ""));
	}

	private static Counts expected(String queue, Evidence evidence) {
		Set<TaskKey> tasks = new HashSet<>(evidence.ledger().enqueued().keySet());
		tasks.addAll(evidence.ledger().runs().keySet());
		evidence.queues().get(queue).tasks().keySet().forEach((id) -> tasks.add(new TaskKey(queue, id)));
		return tasks.stream()
			.filter((task) -> task.queue().equals(queue))
			.map((task) -> of(task, evidence))
			.reduce(new Counts(0, 0), (a, b) -> new Counts(a.processed + b.processed, a.failed + b.failed));
	}

	private static Counts of(TaskKey task, Evidence evidence) {
		StoredTask stored = evidence.stored(task);
		if (stored == null) {
			Run last = evidence.ledger().decidingRun(task);
			return (last != null) ? new Counts(last.attempt() + 1, last.attempt()) : new Counts(0, 0);
		}
		int retried = stored.retried();
		return switch (stored.state()) {
			case "archived" -> new Counts(retried + 1, retried + 1);
			case "completed" -> new Counts(retried + 1, retried);
			default -> new Counts(retried, retried);
		};
	}

	/** Each run whose outcome Redis may have forgotten widens the bounds. */
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
