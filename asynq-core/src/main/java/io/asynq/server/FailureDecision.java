package io.asynq.server;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

import io.asynq.FailurePredicate;
import io.asynq.PostponeTaskException;
import io.asynq.RetryDelayPolicy;
import io.asynq.RevokeTaskException;
import io.asynq.SkipRetryException;
import io.asynq.broker.LeasedTask;
import io.asynq.broker.Outcome;
import io.asynq.broker.TaskMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what becomes of a task that failed (asynq F04–F07, H06–H08, K01). Safe for
 * concurrent use.
 */
final class FailureDecision {

	private static final Logger logger = LoggerFactory.getLogger(FailureDecision.class);

	private static final RetryDelayPolicy FALLBACK = RetryDelayPolicy.exponential();

	/** A task that is due again at once would only go round. */
	private static final Duration SHORTEST_POSTPONEMENT = Duration.ofSeconds(1);

	private static final Duration LONGEST_DELAY = Duration.ofDays(36_500);

	private final RetryDelayPolicy retryDelay;

	private final FailurePredicate failures;

	private final Clock clock;

	FailureDecision(RetryDelayPolicy retryDelay, FailurePredicate failures, Clock clock) {
		this.retryDelay = retryDelay;
		this.failures = failures;
		this.clock = clock;
	}

	/**
	 * Decides. Exhausted retries count before the failure predicate is asked, as in Go.
	 * @param task the task
	 * @param error what ended its attempt
	 * @return revoked, postponed, archived or to be retried
	 */
	Outcome decide(LeasedTask task, Throwable error) {
		TaskMessage message = task.message();
		if (ErrorTexts.hasCause(error, RevokeTaskException.class)) {
			return new Outcome.Done(task);
		}
		PostponeTaskException postponement = ErrorTexts.findCause(error, PostponeTaskException.class);
		if (postponement != null) {
			Duration delay = postponement.delay();
			return new Outcome.Postpone(task,
					after((delay.compareTo(SHORTEST_POSTPONEMENT) > 0) ? delay : SHORTEST_POSTPONEMENT));
		}
		String text = ErrorTexts.describe(error);
		if (message.retried() >= message.maxRetry() || ErrorTexts.hasCause(error, SkipRetryException.class)) {
			return new Outcome.Archive(task, text);
		}
		return new Outcome.Retry(task, text, retryAt(message, error), isFailure(message, error));
	}

	private Instant retryAt(TaskMessage message, Throwable error) {
		Duration delay;
		try {
			delay = this.retryDelay.delay(message.retried(), error, message.toTask());
		}
		catch (RuntimeException ex) {
			logger.error("RetryDelayPolicy failed for task {} (type '{}'): asynq's default delay is used", message.id(),
					message.type(), ex);
			delay = FALLBACK.delay(message.retried(), error, message.toTask());
		}
		return after(delay);
	}

	private Instant after(Duration delay) {
		return this.clock.instant().plus((delay.compareTo(LONGEST_DELAY) < 0) ? delay : LONGEST_DELAY);
	}

	private boolean isFailure(TaskMessage message, Throwable error) {
		try {
			return this.failures.isFailure(error);
		}
		catch (RuntimeException ex) {
			logger.error("FailurePredicate failed for task {} (type '{}'): the error counts as a failure", message.id(),
					message.type(), ex);
			return true;
		}
	}

}
