package io.asynq.server.work;

import io.asynq.broker.message.Outcome;
import io.asynq.handler.LeaseExpiredException;
import io.asynq.handler.TaskCanceledException;
import io.asynq.handler.TaskErrorHandler;
import io.asynq.lifecycle.UserCode;
import io.asynq.logging.OneLineLogger;
import io.asynq.server.attempt.Attempt;
import io.asynq.server.attempt.FailureLog;
import io.asynq.server.attempt.ServerEvents;
import org.slf4j.Logger;

/**
 * Who is told of an attempt before its outcome is written: the log, listeners, and the
 * application's error handler, which may throw or hang. Safe for concurrent use.
 */
public final class Witnesses {

	private static final Logger logger = OneLineLogger.of(Witnesses.class);

	private final TaskErrorHandler errorHandler;

	private final FailureLog log;

	private final ServerEvents events;

	public Witnesses(TaskErrorHandler errorHandler, FailureLog log, ServerEvents events) {
		this.errorHandler = errorHandler;
		this.log = log;
		this.events = events;
	}

	void started(Attempt attempt) {
		this.events.started(attempt);
	}

	/**
	 * Tells why an attempt was ended while its handler runs. A deadline is a failure like
	 * any other.
	 */
	void aborted(Attempt attempt, Throwable cause) {
		if (cause instanceof TaskCanceledException) {
			this.events.cancelled(attempt);
		}
		else if (cause instanceof LeaseExpiredException) {
			this.events.leaseLost(attempt);
		}
	}

	/**
	 * Tells of an error and the outcome that was decided for it. The log comes first,
	 * because the error handler may not return.
	 */
	void failed(Attempt attempt, Throwable error, Outcome outcome) {
		this.log.failed(attempt, error, outcome);
		if (!(outcome instanceof Outcome.Postpone)) {
			callErrorHandler(attempt, error);
		}
	}

	/**
	 * Tells the error handler alone.
	 */
	void callErrorHandler(Attempt attempt, Throwable error) {
		UserCode.run(() -> this.errorHandler.handleError(attempt.task(), attempt, error),
				(shown) -> logger.error("TaskErrorHandler failed for {}", attempt, shown));
	}

}
