package io.asynq.reliability.check;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.asynq.reliability.ledger.Aggregation;
import io.asynq.reliability.ledger.Ledger;
import io.asynq.reliability.ledger.TaskKey;

/**
 * Which tasks stand for which others: those that a handler was given and those that Redis
 * holds. What an aggregator has made and nobody has stored is none.
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

	/**
	 * Returns the tasks that stand for one.
	 * @param member a task that joined a group
	 * @return the tasks, in the order in which they were made
	 */
	Set<TaskKey> of(TaskKey member) {
		return this.byMember.getOrDefault(member, Set.of());
	}

	/**
	 * Returns all tasks that others stand for.
	 * @return the tasks with those that stand for them
	 */
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
