package io.asynq.internal.worker;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

import io.asynq.CancelMode;
import io.asynq.FailurePredicate;
import io.asynq.RetryDelayPolicy;
import io.asynq.Task;
import io.asynq.event.ArchiveReason;
import io.asynq.handler.HandlerNotFoundException;
import io.asynq.handler.LeaseExpiredException;
import io.asynq.handler.PostponeTaskException;
import io.asynq.handler.RetrySettings;
import io.asynq.handler.RevokeTaskException;
import io.asynq.handler.SkipRetryException;
import io.asynq.handler.TaskCanceledException;
import io.asynq.handler.TaskDeadlineExceededException;
import io.asynq.internal.lifecycle.UserCode;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.text.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Decides even if policies or error throw (docs/compatibility.md, F04 to F07 and H06 to
 * H08).
 */
public final class FailureDecision {

	private static final Logger logger = OneLineLogger.of(FailureDecision.class);

	private static final RetryDelayPolicy FALLBACK = RetryDelayPolicy.exponential();

	private static final Task ANY = Task.of("any", new byte[0]);

	/** Exact classes only: a subclass would be user code. */
	private static final Set<Class<?>> OURS = Set.of(LeaseExpiredException.class, TaskDeadlineExceededException.class,
			TaskCanceledException.class, OwnServerStoppedException.class, HandlerNotFoundException.class);

	/** A task that is due at once would be taken again immediately. */
	private static final Duration SHORTEST_POSTPONEMENT = Duration.ofSeconds(1);

	private static final Duration LONGEST_DELAY = Duration.ofDays(36_500);

	private final RetryDelayPolicy retryDelay;

	private final FailurePredicate failures;

	private final Function<String, RetrySettings> handlers;

	private final @Nullable MissingHandlers missing;

	private final CancelMode cancelled;

	private final PostponePace postponements = new PostponePace(System::nanoTime);

	public FailureDecision(RetryDelayPolicy retryDelay, FailurePredicate failures) {
		this(retryDelay, failures, (type) -> RetrySettings.none());
	}

	/**
	 * @param handlers how tasks of a type are retried, instead of by the policy's delays
	 */
	public FailureDecision(RetryDelayPolicy retryDelay, FailurePredicate failures,
			Function<String, RetrySettings> handlers) {
		this(retryDelay, failures, handlers, null, CancelMode.RETRY);
	}

	/**
	 * @param missing decides about tasks without a handler, {@code null} if they just
	 * fail
	 */
	public FailureDecision(RetryDelayPolicy retryDelay, FailurePredicate failures,
			Function<String, RetrySettings> handlers, @Nullable MissingHandlers missing, CancelMode cancelled) {
		this.retryDelay = retryDelay;
		this.failures = failures;
		this.handlers = handlers;
		this.missing = missing;
		this.cancelled = cancelled;
	}

	/** Exhausted retries are checked before the failure predicate is called, as in Go. */
	public Outcome decide(LeasedTask task, Throwable error) {
		if (error instanceof TaskCanceledException && this.cancelled != CancelMode.RETRY) {
			return decideAlone(task, error);
		}
		try {
			return decideWithPolicies(task, error);
		}
		catch (Throwable ex) {
			return decideAlone(task, error);
		}
	}

	/** Calls no user code: an error that is not ours is described by its class only. */
	public Outcome decideAlone(LeasedTask task, Throwable error) {
		if (error instanceof RevokeTaskException) {
			return new Outcome.Done(task);
		}
		if (error instanceof PostponeTaskException) {
			return postponed(task, SHORTEST_POSTPONEMENT);
		}
		if (error instanceof TaskCanceledException && this.cancelled == CancelMode.DELETE) {
			return new Outcome.Done(task);
		}
		String text = OURS.contains(error.getClass()) ? String.valueOf(error.getMessage()) : error.getClass().getName();
		if (error instanceof TaskCanceledException && this.cancelled == CancelMode.ARCHIVE) {
			return new Outcome.Archive(task, text, ArchiveReason.CANCELLED);
		}
		if (this.missing != null && error.getClass() == HandlerNotFoundException.class
				&& this.missing.decides(task.message().type())) {
			return this.missing.decide(task, text);
		}
		if (isExhausted(task.message())) {
			return new Outcome.Archive(task, text, ArchiveReason.RETRIES_EXHAUSTED);
		}
		if (error instanceof SkipRetryException) {
			return new Outcome.Archive(task, text, ArchiveReason.RETRY_SKIPPED);
		}
		return new Outcome.Retry(task, text, after(FALLBACK.delay(task.message().retried(), error, ANY)), true);
	}

	/** At least one second, which is also used if the exception throws. */
	public static Duration delay(PostponeTaskException postponement) {
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
			return postponed(task, delay(postponement));
		}
		String text = ErrorTexts.describe(error);
		TaskMessage message = task.message();
		if (this.missing != null && ErrorTexts.hasCause(error, HandlerNotFoundException.class)
				&& this.missing.decides(message.type())) {
			return this.missing.decide(task, text);
		}
		if (isExhausted(message)) {
			return new Outcome.Archive(task, text, ArchiveReason.RETRIES_EXHAUSTED);
		}
		if (ErrorTexts.hasCause(error, SkipRetryException.class)) {
			return new Outcome.Archive(task, text, ArchiveReason.RETRY_SKIPPED);
		}
		RetrySettings settings = this.handlers.apply(message.type());
		if (!isRetryable(message, settings, error)) {
			return new Outcome.Archive(task, text, ArchiveReason.RETRY_SKIPPED);
		}
		Optional<Duration> delay = settings.hasDelay() ? backOff(message, settings, error)
				: Optional.of(retryDelay(message, error));
		if (delay.isEmpty()) {
			return new Outcome.Archive(task, text, ArchiveReason.RETRIES_EXHAUSTED);
		}
		return new Outcome.Retry(task, text, after(delay.get()), isFailure(message, error));
	}

	private Outcome postponed(LeasedTask task, Duration delay) {
		return new Outcome.Postpone(task, after(this.postponements.stretched(task.message(), delay)));
	}

	private static boolean isExhausted(TaskMessage message) {
		return message.retried() >= message.maxRetry();
	}

	private static boolean isRetryable(TaskMessage message, RetrySettings settings, Throwable error) {
		try {
			return settings.isRetryable(error);
		}
		catch (Throwable ex) {
			UserCode.tell(ex,
					(shown) -> logger.error(
							"Whether the error of task {} ({}) in queue {} is retried could not be told: it is",
							message.id(), message.type(), message.queue(), shown));
			return true;
		}
	}

	private static Optional<Duration> backOff(TaskMessage message, RetrySettings settings, Throwable error) {
		try {
			return settings.delay(message.retried());
		}
		catch (Throwable ex) {
			UserCode.tell(ex,
					(shown) -> logger.error(
							"The back-off failed for task {} ({}) in queue {}: asynq's default delay is used",
							message.id(), message.type(), message.queue(), shown));
			return Optional.of(FALLBACK.delay(message.retried(), error, ANY));
		}
	}

	private Duration retryDelay(TaskMessage message, Throwable error) {
		try {
			Duration delay = this.retryDelay.delay(message.retried(), error, message.toTask());
			if (delay != null) {
				return delay;
			}
			logger.error("RetryDelayPolicy returned null for task {} ({}) in queue {}: asynq's default delay is used",
					message.id(), message.type(), message.queue());
		}
		catch (Throwable ex) {
			UserCode.tell(ex,
					(shown) -> logger.error(
							"RetryDelayPolicy failed for task {} ({}) in queue {}: asynq's default delay is used",
							message.id(), message.type(), message.queue(), shown));
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
							"FailurePredicate failed for task {} ({}) in queue {}: the error counts as a failure",
							message.id(), message.type(), message.queue(), shown));
			return true;
		}
	}

}
