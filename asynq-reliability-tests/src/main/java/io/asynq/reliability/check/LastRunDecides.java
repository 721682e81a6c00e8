package io.asynq.reliability.check;

import java.util.ArrayList;
import java.util.List;

import io.asynq.test.ledger.Run;
import io.asynq.test.ledger.RunOutcome;
import io.asynq.test.ledger.TaskKey;

/**
 * A task is completed by its last attempt, and by no earlier one that resumed late: the
 * outcome of that one must have been refused.
 */
final class LastRunDecides implements Invariant {

	@Override
	public String name() {
		return "last-run-decides";
	}

	@Override
	public List<Finding> check(Evidence evidence) {
		List<Finding> findings = new ArrayList<>();
		evidence.ledger().runs().keySet().forEach((task) -> {
			Run last = evidence.ledger().decidingRun(task);
			if (last != null && isDone(task, evidence) && !last.ended(RunOutcome.OK) && evidence.succeeded(task)) {
				findings.add(evidence.finding(this, task, "is done, though its last attempt did not succeed"));
			}
		});
		return findings;
	}

	private static boolean isDone(TaskKey task, Evidence evidence) {
		StoredTask stored = evidence.stored(task);
		return stored == null || stored.state().equals(Container.COMPLETED.wireName());
	}

}
