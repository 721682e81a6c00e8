package io.asynq.reliability.check;

import java.util.List;

import io.asynq.reliability.ledger.Enqueued;

/**
 * Nothing runs that was refused, or never enqueued.
 */
final class OnlyEnqueuedRan implements Invariant {

	@Override
	public String name() {
		return "only-enqueued-ran";
	}

	@Override
	public List<Finding> check(Evidence evidence) {
		return evidence.ledger().runs().keySet().stream().filter((task) -> {
			Enqueued enqueued = evidence.ledger().enqueued().get(task);
			return enqueued == null || enqueued.answer() == Enqueued.Answer.REFUSED;
		}).map((task) -> evidence.finding(this, task, "ran")).toList();
	}

}
