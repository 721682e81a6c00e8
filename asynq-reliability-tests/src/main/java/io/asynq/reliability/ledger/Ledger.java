package io.asynq.reliability.ledger;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What producers, handlers and faults have seen.
 *
 * @param enqueued what producers were told, by task; the last answer counts
 * @param runs all calls of handlers by task, in the order of their start
 * @param windows what faults did
 * @param aggregations what became of groups
 * @param fires what became of periodic tasks
 */
public record Ledger(Map<TaskKey, Enqueued> enqueued, Map<TaskKey, List<Run>> runs, List<FaultWindow> windows,
		Aggregations aggregations, Fires fires) {

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
	 * Returns all queues that are known from it.
	 * @return the names
	 */
	public Set<String> queues() {
		return this.enqueued.keySet().stream().map(TaskKey::queue).collect(Collectors.toSet());
	}

}
