package io.asynq.internal.worker;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.asynq.internal.lane.Lanes;

/**
 * Writes outcomes of attempts that did not end by themselves, after changed crash
 * records.
 */
public final class NotedOutcomes {

	private final TaskCompleter attempts;

	private final OutcomeReporter reporter;

	private final Lanes lanes;

	public NotedOutcomes(TaskCompleter attempts, OutcomeReporter reporter, Lanes lanes) {
		this.attempts = attempts;
		this.reporter = reporter;
		this.lanes = lanes;
	}

	void report(List<PendingOutcome> outcomes) {
		List<PendingOutcome> unchanged = new ArrayList<>();
		Map<String, List<PendingOutcome>> changed = new LinkedHashMap<>();
		for (PendingOutcome pending : outcomes) {
			LeasedTask task = pending.outcome().task();
			List<PendingOutcome> its = task.record().equals(pending.attempt().leased().record()) ? unchanged
					: changed.computeIfAbsent(task.message().queue(), (queue) -> new ArrayList<>());
			its.add(pending);
		}
		this.reporter.reportNow(unchanged);
		if (!this.lanes.areSeveral()) {
			changed.forEach(this::noteAndReport);
		}
		else if (!changed.isEmpty()) {
			Map<String, Runnable> work = new LinkedHashMap<>();
			this.lanes.of(changed.keySet())
				.forEach((lane, queues) -> work.put(lane,
						() -> queues.forEach((queue) -> noteAndReport(queue, changed.get(queue)))));
			try {
				// New threads, because no lane may be skipped
				this.lanes.threads("asynq-processor").run(work);
			}
			catch (Throwable ex) {
				// Without notes rather than not at all: what is written twice counts once
				changed.values().forEach(this.reporter::reportNow);
				throw ex;
			}
		}
	}

	private void noteAndReport(String queue, List<PendingOutcome> outcomes) {
		note(queue, outcomes.stream().map((pending) -> pending.outcome().task()).toList());
		this.reporter.reportNow(outcomes);
	}

	private void note(String queue, List<LeasedTask> tasks) {
		try {
			this.attempts.note(queue, tasks);
		}
		catch (Throwable ex) {
			// The outcomes must be written all the same
			this.lanes.errors().warn("asynq-processor", ex);
		}
	}

}
