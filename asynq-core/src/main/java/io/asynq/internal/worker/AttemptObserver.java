package io.asynq.internal.worker;

import io.asynq.context.ContextPropagator;
import io.asynq.context.ContextPropagators;
import io.asynq.event.TaskEvent;
import io.asynq.handler.HandlerNotFoundException;
import io.asynq.handler.LeaseExpiredException;
import io.asynq.handler.TaskCanceledException;
import io.asynq.handler.TaskErrorHandler;
import io.asynq.internal.event.TaskEvents;
import io.asynq.internal.event.TaskObservation;
import io.asynq.internal.event.TaskObservations;
import io.asynq.internal.lifecycle.UserCode;
import io.asynq.internal.text.OncePerMinute;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.server.FailureLogging;
import org.slf4j.Logger;

/**
 * Who is told of an attempt: the log, listeners, observations, and the application's
 * error handler, which may throw or hang.
 */
public final class AttemptObserver {

	private static final Logger logger = OneLineLogger.of(AttemptObserver.class);

	private final TaskErrorHandler errorHandler;

	private final FailureLogging logged;

	private final OncePerMinute withoutHandler = new OncePerMinute(System::nanoTime);

	private final TaskEvents events;

	private final TaskObservations observations;

	private final ContextPropagators contexts;

	public AttemptObserver(TaskErrorHandler errorHandler, FailureLogging logged, TaskEvents events,
			TaskObservations observations, ContextPropagators contexts) {
		this.errorHandler = errorHandler;
		this.logged = logged;
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
		Throwable error = attempt.error();
		boolean failed = outcome instanceof Outcome.Archive
				|| outcome instanceof Outcome.Retry retry && retry.failure();
		attempt.observation()
			.decided(outcome.kind().observed(error), (failed && error != null && attempt.observation().isRunning())
					? ErrorTexts.quoteFree(error) : null);
	}

	void started(Attempt attempt) {
		if (this.events.isWanted(TaskEvent.Started.class)) {
			this.events.tell(new TaskEvent.Started(attempt.facts()));
		}
	}

	/** A deadline is a failure like any other. */
	void aborted(Attempt attempt, Throwable cause) {
		if (cause instanceof TaskCanceledException && this.events.isWanted(TaskEvent.Cancelled.class)) {
			this.events.tell(new TaskEvent.Cancelled(attempt.facts()));
		}
		else if (cause instanceof LeaseExpiredException) {
			leaseLost(attempt);
		}
	}

	/** The log comes first, because the error handler may not return. */
	void failed(Attempt attempt, Throwable error, Outcome outcome) {
		log(attempt, error, outcome);
		if (!(outcome instanceof Outcome.Postpone) && !(outcome instanceof Outcome.Unhandled)) {
			callErrorHandler(attempt, error);
		}
	}

	void callErrorHandler(Attempt attempt, Throwable error) {
		UserCode.run(() -> this.errorHandler.handleError(attempt.task(), attempt, error),
				(shown) -> logger.error("TaskErrorHandler failed for {}", attempt, shown));
	}

	void leaseLost(Attempt attempt) {
		if (this.events.isWanted(TaskEvent.LeaseLost.class)) {
			this.events.tell(new TaskEvent.LeaseLost(attempt.facts()));
		}
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

	private void log(Attempt attempt, Throwable error, Outcome outcome) {
		if (outcome instanceof Outcome.Postpone postpone) {
			logger.debug("Postponed {} by {}", attempt, postpone.due().delay());
		}
		else if (isLogged(attempt, error, outcome)) {
			warn(attempt, error, outcome);
		}
		else {
			UserCode.tell(error, (shown) -> logger.debug("Failed {}, attempt {} of {}: {}", attempt, number(attempt),
					most(attempt), outcome.getClass().getSimpleName(), shown));
		}
	}

	private boolean isLogged(Attempt attempt, Throwable error, Outcome outcome) {
		if (isWithoutHandler(error)) {
			return this.logged != FailureLogging.NONE && this.withoutHandler.allows(attempt.task().type());
		}
		if (outcome instanceof Outcome.Archive) {
			return this.logged.includesLast();
		}
		return outcome instanceof Outcome.Retry retry
				&& this.logged.includesRetried(attempt.retryCount() == 0 && retry.failure());
	}

	private static void warn(Attempt attempt, Throwable error, Outcome outcome) {
		if (isWithoutHandler(error)) {
			if (outcome instanceof Outcome.Unhandled unhandled) {
				logger.warn(
						"There is no handler for type '{}': {} waits until a server has one, and is archived after {}."
								+ " This is logged once a minute",
						attempt.task().type(), attempt, unhandled.maxAge());
				return;
			}
			logger.warn(
					"There is no handler for type '{}': {} has failed, attempt {} of {}. Tasks of the type are retried and"
							+ " at last archived; this is logged once a minute",
					attempt.task().type(), attempt, number(attempt), most(attempt));
			return;
		}
		Throwable quoteFree = ErrorTexts.quoteFree(error);
		if (outcome instanceof Outcome.Retry retry) {
			UserCode.tell(quoteFree, (shown) -> logger.warn("Failed {}, attempt {} of {}: retried in {}", attempt,
					number(attempt), most(attempt), retry.due().delay(), shown));
		}
		else {
			UserCode.tell(quoteFree, (shown) -> logger.warn("Archived {} after attempt {} of {}", attempt,
					number(attempt), most(attempt), shown));
		}
	}

	private static boolean isWithoutHandler(Throwable error) {
		return ErrorTexts.hasCause(error, HandlerNotFoundException.class);
	}

	private static int number(Attempt attempt) {
		return attempt.retryCount() + 1;
	}

	private static int most(Attempt attempt) {
		return Math.max(attempt.maxRetry() + 1, number(attempt));
	}

}
