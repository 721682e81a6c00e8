package io.asynq.internal.worker;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

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
public final class Decision {

	private static final Logger logger = OneLineLogger.of(Decision.class);

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

	public Decision(RetryDelayPolicy retryDelay, FailurePredicate failures) {
		this(retryDelay, failures, (type) -> RetrySettings.none());
	}

	/**
	 * @param handlers how tasks of a type are retried, instead of by the policy's delays
	 */
	public Decision(RetryDelayPolicy retryDelay, FailurePredicate failures, Function<String, RetrySettings> handlers) {
		this(retryDelay, failures, handlers, null, CancelMode.RETRY);
	}

	/**
	 * @param missing decides about tasks without a handler, {@code null} if they just
	 * fail
	 */
	public Decision(RetryDelayPolicy retryDelay, FailurePredicate failures, Function<String, RetrySettings> handlers,
			@Nullable MissingHandlers missing, CancelMode cancelled) {
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
			return decide(task, error, true);
		}
		catch (Throwable ex) {
			return decideAlone(task, error);
		}
	}

	/** Calls no user code: an error that is not ours is described by its class only. */
	public Outcome decideAlone(LeasedTask task, Throwable error) {
		return decide(task, error, false);
	}

	private Outcome decide(LeasedTask task, Throwable error, boolean userCode) {
		if (find(error, RevokeTaskException.class, userCode) != null) {
			return new Outcome.Done(task);
		}
		PostponeTaskException postponement = find(error, PostponeTaskException.class, userCode);
		if (postponement != null) {
			Duration delay = userCode ? delay(postponement) : SHORTEST_POSTPONEMENT;
			return new Outcome.Postpone(task, after(this.postponements.stretched(task.message(), delay)));
		}
		String text = userCode ? ErrorTexts.describe(error)
				: OURS.contains(error.getClass()) ? String.valueOf(error.getMessage()) : error.getClass().getName();
		TaskMessage message = task.message();
		if (error instanceof TaskCanceledException && this.cancelled != CancelMode.RETRY) {
			return (this.cancelled == CancelMode.DELETE) ? new Outcome.Done(task)
					: new Outcome.Archive(task, text, ArchiveReason.CANCELLED);
		}
		if (this.missing != null && find(error, HandlerNotFoundException.class, userCode) != null
				&& this.missing.decides(message.type())) {
			return this.missing.decide(task, text);
		}
		if (message.retried() >= message.maxRetry()) {
			return new Outcome.Archive(task, text, ArchiveReason.RETRIES_EXHAUSTED);
		}
		if (find(error, SkipRetryException.class, userCode) != null) {
			return new Outcome.Archive(task, text, ArchiveReason.RETRY_SKIPPED);
		}
		return userCode ? askPolicies(task, error, text)
				: new Outcome.Retry(task, text, after(FALLBACK.delay(message.retried(), error, ANY)), true);
	}

	private Outcome askPolicies(LeasedTask task, Throwable error, String text) {
		TaskMessage message = task.message();
		RetrySettings settings = this.handlers.apply(message.type());
		if (!ask(() -> settings.isRetryable(error), true, message,
				"Whether the error of task {} ({}) in queue {} is retried could not be told: it is")) {
			return new Outcome.Archive(task, text, ArchiveReason.RETRY_SKIPPED);
		}
		Duration usual = FALLBACK.delay(message.retried(), error, ANY);
		Optional<Duration> delay = settings.hasDelay()
				? ask(() -> settings.delay(message.retried()), Optional.of(usual), message,
						"The back-off failed for task {} ({}) in queue {}: asynq's default delay is used")
				: Optional.of(retryDelay(message, error, usual));
		if (delay.isEmpty()) {
			return new Outcome.Archive(task, text, ArchiveReason.RETRIES_EXHAUSTED);
		}
		boolean failure = ask(() -> this.failures.isFailure(error), true, message,
				"FailurePredicate failed for task {} ({}) in queue {}: the error counts as a failure");
		return new Outcome.Retry(task, text, after(delay.get()), failure);
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

	private Duration retryDelay(TaskMessage message, Throwable error, Duration usual) {
		Optional<Duration> delay = ask(
				() -> Optional.ofNullable(this.retryDelay.delay(message.retried(), error, message.toTask())), null,
				message, "RetryDelayPolicy failed for task {} ({}) in queue {}: asynq's default delay is used");
		if (delay != null && delay.isEmpty()) {
			logger.error("RetryDelayPolicy returned null for task {} ({}) in queue {}: asynq's default delay is used",
					message.id(), message.type(), message.queue());
		}
		return (delay != null) ? delay.orElse(usual) : usual;
	}

	private static <T> T ask(Supplier<T> policy, T otherwise, TaskMessage message, String complaint) {
		try {
			return policy.get();
		}
		catch (Throwable ex) {
			UserCode.tell(ex, (shown) -> logger.error(complaint, message.id(), message.type(), message.queue(), shown));
			return otherwise;
		}
	}

	private static <T extends Throwable> @Nullable T find(Throwable error, Class<T> type, boolean userCode) {
		return userCode ? ErrorTexts.findCause(error, type) : type.isInstance(error) ? type.cast(error) : null;
	}

	private static Due after(Duration delay) {
		Duration shortened = (delay.compareTo(LONGEST_DELAY) < 0) ? delay : LONGEST_DELAY;
		return Due.in(shortened.isNegative() ? Duration.ZERO : shortened);
	}

}
