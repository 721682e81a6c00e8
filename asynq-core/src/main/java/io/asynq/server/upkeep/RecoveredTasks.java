package io.asynq.server.upkeep;

import java.util.List;
import java.util.function.Predicate;

import io.asynq.broker.TaskCompleter;
import io.asynq.broker.message.CrashRecord;
import io.asynq.broker.message.Outcome;
import io.asynq.broker.message.OutcomeResult;
import io.asynq.logging.OneLineLogger;
import io.asynq.server.attempt.ServerEvents;
import io.asynq.server.attempt.TaskMdc;
import io.asynq.server.state.ServerCounters;
import org.slf4j.Logger;

/**
 * Writes the outcomes of recovered tasks, counts, logs and tells them. Safe for
 * concurrent use.
 */
public final class RecoveredTasks {

	private static final Logger logger = OneLineLogger.of(RecoveredTasks.class);

	private final TaskCompleter completer;

	private final ServerCounters counters;

	private final ServerEvents events;

	public RecoveredTasks(TaskCompleter completer, ServerCounters counters, ServerEvents events) {
		this.completer = completer;
		this.counters = counters;
		this.events = events;
	}

	/**
	 * Writes outcomes.
	 * @param poisoned whether a task was archived for this record
	 * @return how many tasks have ended
	 */
	int end(List<Outcome> outcomes, Predicate<CrashRecord> poisoned) {
		int ended = 0;
		List<OutcomeResult> results = this.completer.report(outcomes);
		for (int i = 0; i < results.size(); i++) {
			OutcomeResult result = results.get(i);
			if (result.error() != null) {
				throw result.error();
			}
			if (result.status() == OutcomeResult.Status.APPLIED) {
				ended++;
				Outcome outcome = outcomes.get(i);
				this.counters.recovered.increment();
				if (outcome instanceof Outcome.Archive && poisoned.test(outcome.task().record())) {
					this.counters.poisoned.increment();
				}
				TaskMdc.during(outcome.message(), () -> log(outcome));
				this.events.recovered(outcome);
			}
		}
		return ended;
	}

	private static void log(Outcome outcome) {
		logger.warn("Recovered task {} ({}) in queue {}, whose server lost its lease: {}", outcome.message().id(),
				outcome.message().type(), outcome.message().queue(),
				(outcome instanceof Outcome.Archive archive) ? "archived, " + archive.error()
						: (outcome instanceof Outcome.Retry) ? "will be retried"
								: "put back, because its handler had not begun");
	}

}
