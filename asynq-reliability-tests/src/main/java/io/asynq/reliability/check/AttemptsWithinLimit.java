package io.asynq.reliability.check;

import java.util.ArrayList;
import java.util.List;

import io.asynq.test.ledger.Enqueued;
import io.asynq.test.ledger.Run;

/** No task is attempted more often than its retries permit, crashes included. */
final class AttemptsWithinLimit implements Invariant {

	@Override
	public String name() {
		return "attempts-within-limit";
	}

	@Override
	public List<Finding> check(Evidence evidence) {
		List<Finding> findings = new ArrayList<>();
		for (Enqueued task : evidence.ledger().enqueued().values()) {
			int last = evidence.ledger().runsOf(task.task()).stream().mapToInt(Run::attempt).max().orElse(0);
			StoredTask stored = evidence.stored(task.task());
			if (last > task.maxRetry() || (stored != null && stored.retried() > task.maxRetry())) {
				findings.add(evidence.finding(this, task.task(), "may be retried " + task.maxRetry() + " times"));
			}
		}
		return findings;
	}

}
