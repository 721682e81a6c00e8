package io.asynq.internal.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import io.asynq.AsynqException;
import io.asynq.event.TaskLeaseLostEvent;
import io.asynq.event.TaskSucceededEvent;
import io.asynq.handler.TaskDeadlineExceededException;
import io.asynq.internal.event.TaskEvents;
import io.asynq.internal.text.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Sends outcomes only while their leases are valid: afterwards another server may run the
 * task.
 */
public final class OutcomeSender {

	private static final Logger logger = OneLineLogger.of(OutcomeSender.class);

	private final TaskCompleter completer;

	private final ActiveTasks active;

	private final ServerCounters counters;

	private final TaskEvents events;

	private final Consumer<LimitClass> waits;

	public OutcomeSender(TaskCompleter completer, ActiveTasks active, ServerCounters counters, TaskEvents events) {
		this(completer, active, counters, events, (limits) -> {
		});
	}

	public OutcomeSender(TaskCompleter completer, ActiveTasks active, ServerCounters counters, TaskEvents events,
			Consumer<LimitClass> waits) {
		this.waits = waits;
		this.completer = completer;
		this.active = active;
		this.counters = counters;
		this.events = events;
	}

	/**
	 * Releases tasks whose outcome was taken or finally refused, and returns the rest.
	 */
	Unsent send(List<PendingOutcome> batch) {
		List<PendingOutcome> valid = dropLost(batch);
		try {
			return sendTogether(valid);
		}
		catch (Throwable ex) {
			// None may be lost, and one bad outcome must not affect the others
			return sendOneByOne(valid, ex);
		}
	}

	void drop(PendingOutcome pending, String why) {
		this.active.release(pending.attempt());
		this.counters.outcomesDropped.increment();
		TaskMdc.during(pending.attempt().message(), () -> logger.warn("Dropped the outcome ({}) of {}: {}",
				pending.outcome().getClass().getSimpleName(), pending.attempt(), why));
	}

	private Unsent sendTogether(List<PendingOutcome> batch) {
		if (batch.isEmpty()) {
			return new Unsent(List.of(), null);
		}
		List<Outcome> outcomes = new ArrayList<>(batch.size());
		for (PendingOutcome pending : batch) {
			outcomes.add(pending.outcome());
		}
		List<OutcomeResult> results = this.completer.report(outcomes);
		List<PendingOutcome> unsent = new ArrayList<>();
		AsynqException reason = null;
		for (int i = 0; i < results.size(); i++) {
			OutcomeResult result = results.get(i);
			if (result.status() == OutcomeResult.Status.UNREACHABLE) {
				unsent.add(batch.get(i).sentOnce());
				reason = result.error();
			}
			else if (result.status() == OutcomeResult.Status.OVERDUE) {
				Unsent left = sendTogether(List.of(batch.get(i).overdue()));
				unsent.addAll(left.outcomes());
				reason = (left.reason() != null) ? left.reason() : reason;
			}
			else {
				settle(batch.get(i).applied(result), result.status());
			}
		}
		return new Unsent(unsent, reason);
	}

	/**
	 * What needs more memory than there is, such as a huge result, is dropped when it
	 * fails alone for the second time.
	 */
	private Unsent sendOneByOne(List<PendingOutcome> batch, Throwable failure) {
		List<PendingOutcome> unsent = new ArrayList<>();
		AsynqException reason = new AsynqException("Writing outcomes failed: " + failure, failure);
		for (PendingOutcome pending : batch) {
			PendingOutcome again = pending.sentOnce();
			try {
				unsent.addAll(sendTogether(List.of(again)).outcomes());
			}
			catch (Throwable ex) {
				if (ex instanceof Error && pending.resent()) {
					drop(pending,
							"it cannot be written (" + ex + "), so the task will be recovered and will run again");
				}
				else {
					unsent.add(again);
				}
			}
		}
		return new Unsent(unsent, reason);
	}

	private List<PendingOutcome> dropLost(List<PendingOutcome> batch) {
		long now = System.nanoTime();
		List<PendingOutcome> valid = new ArrayList<>(batch.size());
		for (PendingOutcome pending : batch) {
			// What only puts a task back or off does no harm, and recovery would count it
			if (pending.attempt().lease().isValidAt(now) || !pending.outcome().kind().endsRun()) {
				valid.add(pending);
			}
			else {
				drop(pending, "its lease has expired: " + pending.attempt().lease().fate());
				if (this.events.isWanted(TaskLeaseLostEvent.class)) {
					this.events.tell(new TaskLeaseLostEvent(pending.attempt().facts()));
				}
			}
		}
		return valid;
	}

	private void settle(PendingOutcome pending, OutcomeResult.Status status) {
		switch (status) {
			case APPLIED -> taken(pending);
			case NOT_ACTIVE -> {
				if (pending.resent()) {
					// It was written the first time; only the answer was lost
					taken(pending);
				}
				else {
					drop(pending,
							"the task is no longer active: it was recovered, deleted or finished elsewhere, or Redis"
									+ " has lost it");
				}
			}
			default -> drop(pending, "a key of its queue has the wrong type in Redis");
		}
	}

	private void taken(PendingOutcome pending) {
		this.active.release(pending.attempt());
		if (pending.outcome() instanceof Outcome.Wait wait) {
			this.waits.accept(wait.needs());
			return;
		}
		if (pending.outcome() instanceof Outcome.Retry || pending.outcome() instanceof Outcome.Archive) {
			countFailure(pending);
		}
		if (pending.outcome() instanceof Outcome.Unhandled) {
			this.counters.unhandled.increment();
		}
		tell(pending.attempt(), pending.outcome());
	}

	/** Makes nothing for success, which is most, unless somebody wants to know. */
	private void tell(Attempt attempt, Outcome outcome) {
		Throwable error = attempt.conclusion().error();
		boolean success = error == null
				&& (outcome.kind() == Outcome.Kind.DONE || outcome.kind() == Outcome.Kind.COMPLETED);
		if (success ? this.events.isWanted(TaskSucceededEvent.class) : this.events.isOn()) {
			outcome.tell(this.events, attempt.facts(), error);
		}
	}

	private void countFailure(PendingOutcome pending) {
		if (pending.outcome() instanceof Outcome.Archive) {
			this.counters.archived.increment();
		}
		if (pending.attempt().conclusion().error() instanceof TaskDeadlineExceededException) {
			this.counters.timedOut.increment();
		}
	}

	record Unsent(List<PendingOutcome> outcomes, @Nullable AsynqException reason) {
	}

}
