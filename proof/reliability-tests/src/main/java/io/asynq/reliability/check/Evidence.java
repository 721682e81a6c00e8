package io.asynq.reliability.check;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

import io.asynq.test.ledger.Aggregation;
import io.asynq.test.ledger.Enqueued;
import io.asynq.test.ledger.FaultWindow;
import io.asynq.test.ledger.Ledger;
import io.asynq.test.ledger.Run;
import io.asynq.test.ledger.RunOutcome;
import io.asynq.test.ledger.TaskKey;
import org.jspecify.annotations.Nullable;

/** All evidence of a run. */
record Evidence(Ledger ledger, Map<String, QueueView> queues, Map<TaskKey, Set<TaskKey>> digests, Set<String> servers,
		Inspectors inspectors, Rules rules) {

	static Evidence of(Ledger ledger, RedisView redis, Inspectors inspectors, Rules rules) {
		Map<String, QueueView> queues = new TreeMap<>();
		ledger.queues().forEach((queue) -> queues.put(queue, redis.queue(queue)));
		Set<String> servers = new TreeSet<>(redis.servers());
		servers.addAll(redis.histories());
		return new Evidence(ledger, queues, digests(ledger, queues), servers, inspectors, rules);
	}

	/**
	 * By member, as far as a handler received them or Redis holds them: a task that an
	 * aggregator made but nobody stored does not count.
	 */
	private static Map<TaskKey, Set<TaskKey>> digests(Ledger ledger, Map<String, QueueView> queues) {
		Map<TaskKey, Set<TaskKey>> byMember = new HashMap<>();
		Comparator<TaskKey> order = Comparator.<TaskKey, Instant>comparing((digest) -> {
			Aggregation aggregation = ledger.aggregations().made().get(digest);
			return (aggregation != null) ? aggregation.time() : Instant.MIN;
		}).thenComparing(TaskKey::id);
		BiConsumer<TaskKey, List<String>> add = (digest,
				members) -> members.forEach((member) -> byMember
					.computeIfAbsent(new TaskKey(digest.queue(), member), (key) -> new TreeSet<>(order))
					.add(digest));
		ledger.aggregations().given().forEach(add);
		queues.forEach((queue, view) -> view.tasks()
			.values()
			.forEach((task) -> add.accept(new TaskKey(queue, task.id()), task.members())));
		return byMember;
	}

	/**
	 * Returns the tasks that replace a member of a group, in the order of their creation.
	 */
	Set<TaskKey> digestsOf(TaskKey member) {
		return this.digests.getOrDefault(member, Set.of());
	}

	@Nullable StoredTask stored(TaskKey task) {
		QueueView queue = this.queues.get(task.queue());
		return (queue != null) ? queue.tasks().get(task.id()) : null;
	}

	boolean succeeded(TaskKey task) {
		return ranWell(task) || digestsOf(task).stream().anyMatch(this::ranWell);
	}

	boolean isThere(TaskKey task) {
		return stored(task) != null || digestsOf(task).stream().anyMatch((digest) -> stored(digest) != null);
	}

	private boolean ranWell(TaskKey task) {
		return this.ledger.runsOf(task).stream().anyMatch((run) -> run.ended(RunOutcome.OK));
	}

	boolean mayBeLostByRedis(Enqueued task) {
		return !this.rules.redisMayLose().isZero() && this.ledger.windows()
			.stream()
			.anyMatch((window) -> !task.time().isBefore(window.start().minus(this.rules.redisMayLose()))
					&& !task.time().isAfter(window.end()));
	}

	String tell(TaskKey task) {
		Enqueued enqueued = this.ledger.enqueued().get(task);
		List<Run> runs = this.ledger.runsOf(task);
		return "ledger: "
				+ ((enqueued != null) ? enqueued.answer() + " at " + enqueued.time() + " (" + enqueued.detail() + ")"
						: "never enqueued")
				+ ", runs " + runs + "; part of " + digestsOf(task) + "; Redis: " + stored(task);
	}

	Stream<FaultWindow> windowsOf(String worker) {
		return this.ledger.windows().stream().filter((window) -> window.touches(worker));
	}

}
