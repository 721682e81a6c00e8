package io.asynq.reliability.check;

import java.util.HashSet;
import java.util.Set;

import io.asynq.test.ledger.Run;
import io.asynq.test.ledger.TaskKey;

/**
 * Each counted failure, a lost lease included, increments the retries of its task in the
 * same script, so the retries at the last attempt tell how often a task was counted
 * before.
 */
record ExpectedCounts(long processed, long failed) {

	static ExpectedCounts of(String queue, Evidence evidence) {
		Set<TaskKey> tasks = new HashSet<>(evidence.ledger().enqueued().keySet());
		tasks.addAll(evidence.ledger().runs().keySet());
		evidence.queues().get(queue).tasks().keySet().forEach((id) -> tasks.add(new TaskKey(queue, id)));
		long processed = 0;
		long failed = 0;
		for (TaskKey task : tasks) {
			if (task.queue().equals(queue)) {
				ExpectedCounts counts = of(task, evidence);
				processed += counts.processed();
				failed += counts.failed();
			}
		}
		return new ExpectedCounts(processed, failed);
	}

	private static ExpectedCounts of(TaskKey task, Evidence evidence) {
		StoredTask stored = evidence.stored(task);
		if (stored == null) {
			Run last = evidence.ledger().decidingRun(task);
			return (last != null) ? new ExpectedCounts(last.attempt() + 1, last.attempt()) : new ExpectedCounts(0, 0);
		}
		int retried = stored.retried();
		return switch (stored.state()) {
			case "archived" -> new ExpectedCounts(retried + 1, retried + 1);
			case "completed" -> new ExpectedCounts(retried + 1, retried);
			default -> new ExpectedCounts(retried, retried);
		};
	}

}
