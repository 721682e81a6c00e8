package io.asynq.reliability.check;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.asynq.test.ledger.Aggregation;
import io.asynq.test.ledger.Ledger;
import io.asynq.test.ledger.TaskKey;

/**
 * Which tasks replace which others, as far as a handler received them or Redis holds
 * them. A task that an aggregator made but nobody stored does not count.
 */
final class Digests {

	private final Map<TaskKey, Aggregation> made;

	private final Map<TaskKey, Set<TaskKey>> byMember = new HashMap<>();

	Digests(Ledger ledger, Map<String, QueueView> queues) {
		this.made = ledger.aggregations().made();
		ledger.aggregations().given().forEach(this::add);
		queues.values()
			.forEach((queue) -> queue.tasks()
				.values()
				.forEach((task) -> add(new TaskKey(queue.queue(), task.id()), task.members())));
	}

	Set<TaskKey> of(TaskKey member) {
		return this.byMember.getOrDefault(member, Set.of());
	}

	Map<TaskKey, Set<TaskKey>> byMember() {
		return this.byMember;
	}

	private void add(TaskKey digest, List<String> members) {
		Comparator<TaskKey> order = Comparator.comparing(this::madeAt).thenComparing(TaskKey::id);
		members.forEach((member) -> this.byMember
			.computeIfAbsent(new TaskKey(digest.queue(), member), (key) -> new TreeSet<>(order))
			.add(digest));
	}

	private Instant madeAt(TaskKey digest) {
		Aggregation aggregation = this.made.get(digest);
		return (aggregation != null) ? aggregation.time() : Instant.MIN;
	}

}
