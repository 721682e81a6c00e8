package io.asynq.internal.worker;

import io.asynq.handler.HandlerNotFoundException;
import io.asynq.internal.lifecycle.UserCode;
import io.asynq.internal.text.OncePerMinute;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.server.FailureLogging;
import org.slf4j.Logger;

/**
 * Many tasks may lack a handler at once, so that is logged once a minute for each type.
 */
public final class FailureLog {

	private static final Logger logger = OneLineLogger.of(FailureLog.class);

	private final FailureLogging which;

	private final OncePerMinute withoutHandler = new OncePerMinute(System::nanoTime);

	public FailureLog(FailureLogging which) {
		this.which = which;
	}

	public void failed(Attempt attempt, Throwable error, Outcome outcome) {
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
			return this.which != FailureLogging.NONE && this.withoutHandler.allows(attempt.task().type());
		}
		if (outcome instanceof Outcome.Archive) {
			return this.which.includesLast();
		}
		return outcome instanceof Outcome.Retry retry
				&& this.which.includesRetried(attempt.retryCount() == 0 && retry.failure());
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
