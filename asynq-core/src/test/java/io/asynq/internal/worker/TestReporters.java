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
public final class TestReporters {

	private TestReporters() {
	}

	/**
	 * Creates a reporter for a single Redis, which is not started.
	 */
	public static OutcomeReporter of(TaskCompleter completer, ActiveTasks active) {
		Loops loops = new Loops(() -> true, new LoopErrorLog(),
				new StopBudget(Duration.ofSeconds(20), Duration.ofSeconds(10), Duration.ofSeconds(5)));
		OutcomeSender sender = new OutcomeSender(completer, active, new ServerCounters(List.of("default")),
				TaskEvents.none());
		Syncer syncer = new Syncer(sender, Lanes.single(), loops);
		return new OutcomeReporter(new OutcomeLanes(Lanes.single(), sender, syncer, 256), active, 256, loops);
	}

}
