package io.asynq.test.ledger;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * @param enqueued answers to producers, by task; the last answer counts
 * @param runs all calls of handlers by task, in the order of their start
 * @param taken tasks that Java workers got from Redis
 */
public record Ledger(Map<TaskKey, Enqueued> enqueued, Map<TaskKey, List<Run>> runs, Map<TaskKey, List<Taken>> taken,
		List<FaultWindow> windows, Aggregations aggregations, Fires fires) {

	public Set<TaskKey> acknowledged() {
		return this.enqueued.values()
			.stream()
			.filter((enqueued) -> enqueued.answer() == Enqueued.Answer.ACKNOWLEDGED)
			.map(Enqueued::task)
			.collect(Collectors.toSet());
	}

	public List<Run> runsOf(TaskKey task) {
		return this.runs.getOrDefault(task, List.of());
	}

	/**
	 * The last run of the latest attempt decides: a worker that stood still may begin an
	 * earlier attempt only after it.
	 */
	public @Nullable Run decidingRun(TaskKey task) {
		return runsOf(task).stream().max(Comparator.comparingInt(Run::attempt).thenComparing(Run::start)).orElse(null);
	}

	/** Fetches of the task that no run followed. */
	public Stream<Taken> neverBegun(TaskKey task) {
		return this.taken.getOrDefault(task, List.of()).stream().filter((taken) -> !hasBegun(taken, Instant.MAX));
	}

	public List<Run> runningOn(String worker, Instant moment) {
		return this.runs.values()
			.stream()
			.flatMap(List::stream)
			.filter((run) -> run.worker().equals(worker) && !run.start().isAfter(moment)
					&& (run.end() == null || run.end().isAfter(moment)))
			.toList();
	}

	/** Those that it was running, and those that it had taken and not yet started. */
	public Set<TaskKey> heldBy(String worker, Instant moment) {
		Stream<TaskKey> running = runningOn(worker, moment).stream().map(Run::task);
		Stream<TaskKey> waiting = this.taken.values()
			.stream()
			.flatMap(List::stream)
			.filter((taken) -> taken.worker().equals(worker) && !taken.time().isAfter(moment)
					&& !hasBegun(taken, moment))
			.map(Taken::task);
		return Stream.concat(running, waiting).collect(Collectors.toSet());
	}

	private boolean hasBegun(Taken taken, Instant moment) {
		return runsOf(taken.task()).stream()
			.anyMatch((run) -> run.worker().equals(taken.worker()) && !run.start().isBefore(taken.time())
					&& !run.start().isAfter(moment));
	}

	public Set<String> queues() {
		return this.enqueued.keySet().stream().map(TaskKey::queue).collect(Collectors.toSet());
	}

}
