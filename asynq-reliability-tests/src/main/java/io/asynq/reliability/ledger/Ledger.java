package io.asynq.reliability.ledger;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What producers, handlers and faults have seen.
 *
 * @param enqueued what producers were told, by task; the last answer counts
 * @param runs all calls of handlers by task, in the order of their start
 * @param taken what Java workers got from Redis, by task
 * @param windows what faults did
 * @param aggregations what became of groups
 * @param fires what became of periodic tasks
 */
public record Ledger(Map<TaskKey, Enqueued> enqueued, Map<TaskKey, List<Run>> runs, Map<TaskKey, List<Taken>> taken,
		List<FaultWindow> windows, Aggregations aggregations, Fires fires) {

	/**
	 * Returns the tasks that were acknowledged.
	 * @return the tasks
	 */
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
	 * Returns by whom a task was taken without ever being begun.
	 * @param task the task
	 * @return each such taking
	 */
	public Stream<Taken> neverBegun(TaskKey task) {
		return this.taken.getOrDefault(task, List.of()).stream().filter((taken) -> !hasBegun(taken, Instant.MAX));
	}

	/**
	 * Returns which tasks a worker had begun and not ended at a moment.
	 * @param worker the worker
	 * @param moment the moment
	 * @return the runs
	 */
	public List<Run> runningOn(String worker, Instant moment) {
		return this.runs.values()
			.stream()
			.flatMap(List::stream)
			.filter((run) -> run.worker().equals(worker) && !run.start().isAfter(moment)
					&& (run.end() == null || run.end().isAfter(moment)))
			.toList();
	}

	/**
	 * Returns which tasks were in the hands of a worker at a moment: those that it had
	 * begun and not ended, and those that it had taken and not begun.
	 * @param worker the worker
	 * @param moment the moment
	 * @return the tasks
	 */
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

	/**
	 * Returns all queues that are known from it.
	 * @return the names
	 */
	public Set<String> queues() {
		return this.enqueued.keySet().stream().map(TaskKey::queue).collect(Collectors.toSet());
	}

}
