package io.asynq.internal.worker;

import io.asynq.context.ContextPropagator;
import io.asynq.context.ContextPropagators;
import io.asynq.event.TaskOutcome;
import io.asynq.handler.LeaseExpiredException;
import io.asynq.handler.TaskCanceledException;
import io.asynq.handler.TaskDeadlineExceededException;
import io.asynq.handler.TaskErrorHandler;
import io.asynq.internal.event.TaskObservation;
import io.asynq.internal.event.TaskObservations;
import io.asynq.internal.lifecycle.UserCode;
import io.asynq.internal.text.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Who is told of an attempt: the log, listeners, observations, and the application's
 * error handler, which may throw or hang.
 */
public final class Witnesses {

	private static final Logger logger = OneLineLogger.of(Witnesses.class);

	private final TaskErrorHandler errorHandler;

	private final FailureLog log;

	private final ServerEvents events;

	private final TaskObservations observations;

	private final ContextPropagators contexts;

	public Witnesses(TaskErrorHandler errorHandler, FailureLog log, ServerEvents events, TaskObservations observations,
			ContextPropagators contexts) {
		this.errorHandler = errorHandler;
		this.log = log;
		this.events = events;
		this.observations = observations;
		this.contexts = contexts;
	}

	/**
	 * @throws io.asynq.AsynqException if the context of the task cannot be made
	 */
	TaskObservation.Scope enter(Attempt attempt) {
		return observed(attempt, this.contexts.open(attempt.message().headers()));
	}

	/** For a thread that does not call the handler, which can do without the context. */
	TaskObservation.Scope enterIfPossible(Attempt attempt) {
		return observed(attempt, this.contexts.openIfPossible(attempt.message().headers()));
	}

	TaskObservation.Scope enterAgain(Attempt attempt) {
		return both(this.contexts.openIfPossible(attempt.message().headers()), attempt.observation().get().open());
	}

	void decided(Attempt attempt, Outcome outcome) {
		if (!this.observations.isOn()) {
			return;
		}
		Throwable error = attempt.conclusion().error();
		boolean failed = outcome instanceof Outcome.Archive
				|| outcome instanceof Outcome.Retry retry && retry.failure();
		attempt.observation()
			.decided(kind(outcome, error), (failed && error != null && attempt.observation().isRunning())
					? ErrorTexts.quoteFree(error) : null);
	}

	void started(Attempt attempt) {
		this.events.started(attempt);
	}

	/** A deadline is a failure like any other. */
	void aborted(Attempt attempt, Throwable cause) {
		if (cause instanceof TaskCanceledException) {
			this.events.cancelled(attempt);
		}
		else if (cause instanceof LeaseExpiredException) {
			this.events.leaseLost(attempt);
		}
	}

	/** The log comes first, because the error handler may not return. */
	void failed(Attempt attempt, Throwable error, Outcome outcome) {
		this.log.failed(attempt, error, outcome);
		if (!(outcome instanceof Outcome.Postpone) && !(outcome instanceof Outcome.Unhandled)) {
			callErrorHandler(attempt, error);
		}
	}

	void callErrorHandler(Attempt attempt, Throwable error) {
		UserCode.run(() -> this.errorHandler.handleError(attempt.task(), attempt, error),
				(shown) -> logger.error("TaskErrorHandler failed for {}", attempt, shown));
	}

	private TaskObservation.Scope observed(Attempt attempt, ContextPropagator.Scope context) {
		if (!this.observations.isOn()) {
			return context::close;
		}
		TaskObservation observation = this.observations.process(attempt.facts());
		attempt.observation().begin(observation);
		return both(context, observation.open());
	}

	private static TaskObservation.Scope both(ContextPropagator.Scope context, TaskObservation.Scope observation) {
		return (context == ContextPropagator.Scope.NONE) ? observation : () -> {
			try (context) {
				observation.close();
			}
		};
	}

	/** Whether an archived task was over its deadline is in the error. */
	private static TaskOutcome kind(Outcome outcome, @Nullable Throwable error) {
		if (outcome instanceof Outcome.Retry) {
			return (error instanceof TaskDeadlineExceededException) ? TaskOutcome.DEADLINE
					: (error instanceof TaskCanceledException) ? TaskOutcome.CANCELLED : TaskOutcome.RETRIED;
		}
		if (outcome instanceof Outcome.Archive) {
			return TaskOutcome.ARCHIVED;
		}
		if (outcome instanceof Outcome.Postpone || outcome instanceof Outcome.Unhandled) {
			return TaskOutcome.POSTPONED;
		}
		if (outcome instanceof Outcome.Requeue) {
			return TaskOutcome.REQUEUED;
		}
		return (error != null) ? TaskOutcome.REVOKED : TaskOutcome.SUCCEEDED;
	}

}
