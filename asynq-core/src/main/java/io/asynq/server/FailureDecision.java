package io.asynq.server;

import java.time.Duration;
import java.util.Set;

import io.asynq.FailurePredicate;
import io.asynq.LeaseExpiredException;
import io.asynq.PostponeTaskException;
import io.asynq.RetryDelayPolicy;
import io.asynq.RevokeTaskException;
import io.asynq.SkipRetryException;
import io.asynq.Task;
import io.asynq.TaskCanceledException;
import io.asynq.TaskDeadlineExceededException;
import io.asynq.broker.Due;
import io.asynq.broker.LeasedTask;
import io.asynq.broker.Outcome;
import io.asynq.broker.TaskMessage;
import io.asynq.lifecycle.UserCode;
import io.asynq.logging.OneLineLogger;
import org.slf4j.Logger;

/**
 * Decides what becomes of a task that failed (asynq F04–F07, H06–H08, K01), whatever the
 * user's policies and the error itself throw meanwhile. Safe for concurrent use.
 */
final class FailureDecision {

	private static final Logger logger = OneLineLogger.of(FailureDecision.class);

	private static final RetryDelayPolicy FALLBACK = RetryDelayPolicy.exponential();

	private static final Task ANY = Task.of("any", new byte[0]);

	/** A subclass would be users' code. */
	private static final Set<Class<?>> OURS = Set.of(LeaseExpiredException.class, TaskDeadlineExceededException.class,
			TaskCanceledException.class, OwnServerStoppedException.class);

	/** A task that is due again at once would only go round. */
	private static final Duration SHORTEST_POSTPONEMENT = Duration.ofSeconds(1);

	private static final Duration LONGEST_DELAY = Duration.ofDays(36_500);

	private final RetryDelayPolicy retryDelay;

	private final FailurePredicate failures;

	FailureDecision(RetryDelayPolicy retryDelay, FailurePredicate failures) {
		this.retryDelay = retryDelay;
		this.failures = failures;
	}

	/**
	 * Decides. Exhausted retries count before the failure predicate is asked, as in Go.
	 * @param task the task
	 * @param error what ended its attempt
	 * @return revoked, postponed, archived or to be retried
	 */
	Outcome decide(LeasedTask task, Throwable error) {
		try {
			return decideWithPolicies(task, error);
		}
		catch (Throwable ex) {
			return decideAlone(task, error);
		}
	}

	/**
	 * Decides without any code of the user's: that has failed, or does not return.
	 * @param task the task
	 * @param error what ended its attempt
	 * @return revoked, postponed, archived or to be retried, with no text but the error's
	 * class if it is not one of ours
	 */
	Outcome decideAlone(LeasedTask task, Throwable error) {
		if (error instanceof RevokeTaskException) {
			return new Outcome.Done(task);
		}
		if (error instanceof PostponeTaskException) {
			return new Outcome.Postpone(task, after(SHORTEST_POSTPONEMENT));
		}
		String text = OURS.contains(error.getClass()) ? String.valueOf(error.getMessage()) : error.getClass().getName();
		if (isExhausted(task.message()) || error instanceof SkipRetryException) {
			return new Outcome.Archive(task, text);
		}
		return new Outcome.Retry(task, text, after(FALLBACK.delay(task.message().retried(), error, ANY)), true);
	}

	/**
	 * Returns for how long a task is postponed.
	 * @param postponement what says so
	 * @return one second at least, and so where it cannot be told
	 */
	static Duration delay(PostponeTaskException postponement) {
		try {
			Duration delay = postponement.delay();
			return (delay.compareTo(SHORTEST_POSTPONEMENT) > 0) ? delay : SHORTEST_POSTPONEMENT;
		}
		catch (Throwable ex) {
			UserCode.tell(ex, (shown) -> logger.error("{} has no delay: its task is postponed by {}",
					postponement.getClass().getName(), SHORTEST_POSTPONEMENT, shown));
			return SHORTEST_POSTPONEMENT;
		}
	}

	private Outcome decideWithPolicies(LeasedTask task, Throwable error) {
		if (ErrorTexts.hasCause(error, RevokeTaskException.class)) {
			return new Outcome.Done(task);
		}
		PostponeTaskException postponement = ErrorTexts.findCause(error, PostponeTaskException.class);
		if (postponement != null) {
			return new Outcome.Postpone(task, after(delay(postponement)));
		}
		String text = ErrorTexts.describe(error);
		TaskMessage message = task.message();
		if (isExhausted(message) || ErrorTexts.hasCause(error, SkipRetryException.class)) {
			return new Outcome.Archive(task, text);
		}
		return new Outcome.Retry(task, text, after(retryDelay(message, error)), isFailure(message, error));
	}

	private static boolean isExhausted(TaskMessage message) {
		return message.retried() >= message.maxRetry();
	}

	private Duration retryDelay(TaskMessage message, Throwable error) {
		try {
			Duration delay = this.retryDelay.delay(message.retried(), error, message.toTask());
			if (delay != null) {
				return delay;
			}
			logger.error("RetryDelayPolicy returned null for task {} (type '{}'): asynq's default delay is used",
					message.id(), message.type());
		}
		catch (Throwable ex) {
			UserCode.tell(ex,
					(shown) -> logger.error(
							"RetryDelayPolicy failed for task {} (type '{}'): asynq's default delay is used",
							message.id(), message.type(), shown));
		}
		return FALLBACK.delay(message.retried(), error, ANY);
	}

	private static Due after(Duration delay) {
		Duration shortened = (delay.compareTo(LONGEST_DELAY) < 0) ? delay : LONGEST_DELAY;
		return Due.in(shortened.isNegative() ? Duration.ZERO : shortened);
	}

	private boolean isFailure(TaskMessage message, Throwable error) {
		try {
			return this.failures.isFailure(error);
		}
		catch (Throwable ex) {
			UserCode.tell(ex,
					(shown) -> logger.error(
							"FailurePredicate failed for task {} (type '{}'): the error counts as a failure",
							message.id(), message.type(), shown));
			return true;
		}
	}

}
