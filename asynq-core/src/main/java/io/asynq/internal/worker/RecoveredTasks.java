package io.asynq.internal.worker;

import java.util.List;
import java.util.function.Predicate;

import io.asynq.AsynqException;
import io.asynq.TaskState;
import io.asynq.event.TaskFacts;
import io.asynq.event.TaskEvent;
import io.asynq.internal.event.TaskEvents;
import io.asynq.internal.text.OneLineLogger;
import org.slf4j.Logger;

public final class RecoveredTasks {

	private static final Logger logger = OneLineLogger.of(RecoveredTasks.class);

	private final TaskCompleter completer;

	private final ServerCounters counters;

	private final TaskEvents events;

	public RecoveredTasks(TaskCompleter completer, ServerCounters counters, TaskEvents events) {
		this.completer = completer;
		this.counters = counters;
		this.events = events;
	}

	int end(List<Outcome> outcomes, Predicate<CrashRecord> poisoned) {
		int ended = 0;
		AsynqException error = null;
		List<OutcomeResult> results = this.completer.report(outcomes);
		for (int i = 0; i < results.size(); i++) {
			OutcomeResult result = results.get(i);
			error = (error != null) ? error : result.error();
			if (result.status() == OutcomeResult.Status.APPLIED) {
				ended++;
				Outcome outcome = result.applied(outcomes.get(i));
				count(outcome, poisoned);
				TaskMdc.during(outcome.message(), () -> log(outcome));
				if (this.events.isOn()) {
					tell(outcome);
				}
			}
		}
		if (error != null) {
			// The others have ended, and these are looked for again
			throw error;
		}
		return ended;
	}

	private void count(Outcome outcome, Predicate<CrashRecord> poisoned) {
		this.counters.recovered.increment();
		CrashRecord record = outcome.task().record();
		if (record.crashes() > 0) {
			this.counters.crashed.increment();
		}
		if (outcome instanceof Outcome.Archive) {
			this.counters.archived.increment();
			if (poisoned.test(record)) {
				this.counters.poisoned.increment();
			}
		}
	}

	private void tell(Outcome outcome) {
		TaskFacts facts = outcome.message().facts();
		if (outcome instanceof Outcome.Done) {
			this.events.tell(new TaskEvent.Revoked(facts, null));
			return;
		}
		TaskState state = (outcome instanceof Outcome.Archive) ? TaskState.ARCHIVED
				: (outcome instanceof Outcome.Retry) ? TaskState.RETRY : TaskState.PENDING;
		this.events.tell(new TaskEvent.Recovered(facts, state));
		outcome.tell(this.events, facts, null);
	}

	private static void log(Outcome outcome) {
		List<String> deaths = outcome.task().record().deaths();
		// asynq does not store who has a task; we do, from a task's first death on
		String servers = deaths.isEmpty() ? "" : " (died with it: " + String.join(", ", deaths) + ")";
		logger.warn("Recovered task {} ({}) in queue {}, whose server{} lost its lease: {}", outcome.message().id(),
				outcome.message().type(), outcome.message().queue(), servers,
				(outcome instanceof Outcome.Archive archive) ? "archived, " + archive.error()
						: (outcome instanceof Outcome.Retry) ? "will be retried" : (outcome instanceof Outcome.Done)
								? "deleted, because it was cancelled" : "put back, because its handler had not begun");
	}

}
