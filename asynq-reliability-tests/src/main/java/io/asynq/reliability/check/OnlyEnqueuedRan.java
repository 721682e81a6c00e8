package io.asynq.reliability.check;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.asynq.test.ledger.Enqueued;
import io.asynq.test.ledger.Fired;
import io.asynq.test.ledger.TaskKey;

/**
 * No task runs, by itself or as part of another task, that was rejected or never enqueued
 * by a producer, an aggregator or a scheduler.
 */
final class OnlyEnqueuedRan implements Invariant {

	@Override
	public String name() {
		return "only-enqueued-ran";
	}

	@Override
	public List<Finding> check(Evidence evidence) {
		Set<TaskKey> ran = new HashSet<>(evidence.ledger().runs().keySet());
		ran.removeAll(evidence.ledger().aggregations().made().keySet());
		ran.removeAll(evidence.ledger().fires().fired().stream().map(Fired::task).collect(Collectors.toSet()));
		ran.addAll(evidence.digests().byMember().keySet());
		return ran.stream().filter((task) -> {
			Enqueued enqueued = evidence.ledger().enqueued().get(task);
			return enqueued == null || enqueued.answer() == Enqueued.Answer.REFUSED;
		}).map((task) -> evidence.finding(this, task, "ran")).toList();
	}

}
