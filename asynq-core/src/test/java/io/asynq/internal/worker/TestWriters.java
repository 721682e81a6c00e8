package io.asynq.internal.worker;

import java.time.Duration;
import java.util.List;

import io.asynq.internal.event.TaskEvents;
import io.asynq.internal.lane.Lanes;
import io.asynq.internal.lifecycle.LoopErrorLog;
import io.asynq.internal.lifecycle.Loops;
import io.asynq.internal.lifecycle.StopBudget;

/**
 * Reporters for tests.
 */
public final class TestWriters {

	private TestWriters() {
	}

	/**
	 * Creates a writer for a single Redis, which is not started.
	 */
	public static OutcomeWriter of(TaskCompleter completer, ActiveTasks active) {
		return of(completer, active, new ServerCounters(List.of("default")), Lanes.single(), 256);
	}

	static OutcomeWriter of(TaskCompleter completer, ActiveTasks active, ServerCounters counters, Lanes lanes,
			int limit) {
		return new OutcomeWriter(completer, active, counters, TaskEvents.none(), (limits) -> {
		}, lanes, limit, new Loops(() -> true, new LoopErrorLog(),
				new StopBudget(Duration.ofSeconds(20), Duration.ofSeconds(10), Duration.ofSeconds(5))));
	}

}
