package io.asynq.reliability.check;

import java.util.ArrayList;
import java.util.List;

import io.asynq.test.ledger.Run;
import io.asynq.test.ledger.RunOutcome;
import io.asynq.test.ledger.TaskKey;

/**
 * A task is archived only if its handler asked for it, its retries are exhausted, or it
 * crashed its servers.
 */
final class ArchivedForAReason implements Invariant {

	/** How the error texts of a recoverer begin. */
	private static final List<String> CRASHES = List.of("asynq: task lease expired", "asynq: task took down",
			"asynq: the aggregator of the task's group took down");

	@Override
	public String name() {
		return "archived-for-a-reason";
	}

	@Override
	public List<Finding> check(Evidence evidence) {
		List<Finding> findings = new ArrayList<>();
		evidence.queues().values().forEach((queue) -> queue.tasks().values().forEach((task) -> {
			TaskKey key = new TaskKey(queue.queue(), task.id());
			if (isArchived(task) && !isCrash(task) && task.retried() < task.maxRetry() && !askedFor(key, evidence)) {
				findings.add(evidence.finding(this, key, "is archived and could be retried"));
			}
		}));
		return findings;
	}

	/** Returns whether a recoverer archived a task because it crashed its servers. */
	static boolean isCrash(StoredTask task) {
		return isArchived(task) && CRASHES.stream().anyMatch(task.error()::startsWith);
	}

	private static boolean isArchived(StoredTask task) {
		return task.state().equals(Container.ARCHIVED.wireName());
	}

	private static boolean askedFor(TaskKey task, Evidence evidence) {
		List<Run> runs = evidence.ledger().runsOf(task);
		return !runs.isEmpty() && runs.get(runs.size() - 1).ended(RunOutcome.SKIPPED);
	}

}
