package io.asynq.reliability.check;

import java.util.List;

import io.asynq.test.ledger.Enqueued;

/**
 * Each acknowledged task has succeeded at least once, by itself or as part of another
 * task, or is still in Redis.
 */
final class NothingLost implements Invariant {

	@Override
	public String name() {
		return "nothing-lost";
	}

	@Override
	public List<Finding> check(Evidence evidence) {
		return evidence.ledger()
			.enqueued()
			.values()
			.stream()
			.filter((task) -> isGone(task, evidence) && !evidence.mayBeLostByRedis(task))
			.map((task) -> evidence.finding(this, task.task(), "acknowledged, never done, and not in Redis"))
			.toList();
	}

	static boolean isGone(Enqueued task, Evidence evidence) {
		return task.answer() == Enqueued.Answer.ACKNOWLEDGED && !evidence.isThere(task.task())
				&& !evidence.succeeded(task.task());
	}

}
