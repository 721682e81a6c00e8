package io.asynq.handler;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import org.springframework.core.retry.RetryPolicy;
import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.BackOffExecution;

/**
 * How failed tasks of one handler are retried, in the terms of Spring's
 * {@link RetryPolicy}. What is not set is as for all handlers. How often a task is
 * retried is written in the task. Immutable, and safe for concurrent use if its back-off
 * is.
 */
public final class RetrySettings {

	/**
	 * Errors that no handler has thrown. They are retried as long as no setting excludes
	 * them.
	 */
	private static final List<Class<? extends Throwable>> NOT_OF_HANDLERS = List.of(TaskDeadlineExceededException.class,
			TaskCanceledException.class, LeaseExpiredException.class, HandlerNotFoundException.class);

	/** A task that was retried more often waits no longer. */
	private static final int MOST_STEPS = 1000;

	private static final RetrySettings NONE = new RetrySettings(new Builder());

	private final Builder values;

	private final @Nullable BackOff backOff;

	private final @Nullable RetryPolicy retryable;

	private RetrySettings(Builder values) {
		this.values = values;
		this.backOff = values.createBackOff();
		this.retryable = values.createRetryable();
	}

	/**
	 * Returns settings that change nothing.
	 * @return the settings
	 */
	public static RetrySettings none() {
		return NONE;
	}

	/**
	 * Returns a builder without values.
	 * @return a new builder
	 */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Returns these settings overridden by others, one by one. A delay, jitter,
	 * multiplier or longest delay replaces a back-off, and the other way round.
	 * @param other the settings that win
	 * @return the merged settings
	 */
	public RetrySettings overriddenBy(RetrySettings other) {
		if (other == NONE || this == other) {
			return this;
		}
		return (this == NONE) ? other : new Builder().apply(this.values).apply(other.values).build();
	}

	/**
	 * Returns whether these settings have delays, which are then used instead of those of
	 * the {@link io.asynq.RetryDelayPolicy}.
	 * @return whether there is a back-off
	 */
	public boolean hasDelay() {
		return this.backOff != null;
	}

	/**
	 * Returns how long a failed task waits.
	 * @param retried number of retries before this failure, 0 at the first
	 * @return the delay, empty if the back-off ends here
	 * @throws IllegalStateException if there is no back-off
	 */
	public Optional<Duration> delay(int retried) {
		if (this.backOff == null) {
			throw new IllegalStateException("There is no back-off");
		}
		BackOffExecution execution = this.backOff.start();
		long delay = execution.nextBackOff();
		for (int i = Math.min(retried, MOST_STEPS); i > 0 && delay != BackOffExecution.STOP; i--) {
			delay = execution.nextBackOff();
		}
		return (delay != BackOffExecution.STOP) ? Optional.of(Duration.ofMillis(delay)) : Optional.empty();
	}

	/**
	 * Returns whether a task is retried after an error.
	 * @param error what the attempt ended with; its causes count as well
	 * @return {@code false} if the task is to be archived at once
	 */
	public boolean isRetryable(Throwable error) {
		return this.retryable == null || this.retryable.shouldRetry(error);
	}

	/**
	 * Builds settings. Not safe for concurrent use.
	 */
	public static final class Builder {

		private @Nullable Duration delay;

		private @Nullable Duration jitter;

		private @Nullable Double multiplier;

		private @Nullable Duration maxDelay;

		private @Nullable BackOff backOff;

		private List<Class<? extends Throwable>> includes = List.of();

		private List<Class<? extends Throwable>> excludes = List.of();

		private Builder() {
		}

		/**
		 * How long a task waits after its first failure. The time of a retry is cut to
		 * whole seconds.
		 * @param delay zero or more, default 1 s if the jitter, the multiplier or the
		 * longest delay is set
		 * @return this builder
		 */
		public Builder delay(@Nullable Duration delay) {
			this.delay = delay;
			return this;
		}

		/**
		 * By how much each delay is made longer or shorter at most, at random.
		 * @param jitter zero or more, which grows with the delay; default 0
		 * @return this builder
		 */
		public Builder jitter(@Nullable Duration jitter) {
			this.jitter = jitter;
			return this;
		}

		/**
		 * By what each delay is multiplied for the next one.
		 * @param multiplier at least 1, which is the default
		 * @return this builder
		 */
		public Builder multiplier(@Nullable Double multiplier) {
			this.multiplier = multiplier;
			return this;
		}

		/**
		 * The longest delay.
		 * @param maxDelay more than zero; default no limit
		 * @return this builder
		 */
		public Builder maxDelay(@Nullable Duration maxDelay) {
			this.maxDelay = maxDelay;
			return this;
		}

		/**
		 * Computes the delays. A task for which it stops is archived. It is asked anew at
		 * each failure, for as many delays as the task was retried, at most a thousand.
		 * @param backOff the back-off, instead of a delay; must be safe for concurrent
		 * use
		 * @return this builder
		 */
		public Builder backOff(@Nullable BackOff backOff) {
			this.backOff = backOff;
			return this;
		}

		/**
		 * The only errors that are retried, subclasses included; others archive the task
		 * at once. Errors that no handler has thrown, such as a passed deadline, are
		 * retried all the same.
		 * @param includes classes, none for all errors
		 * @return this builder
		 */
		public Builder includes(List<? extends Class<? extends Throwable>> includes) {
			this.includes = List.copyOf(includes);
			return this;
		}

		/**
		 * Errors that are not retried, subclasses included: they archive the task at
		 * once.
		 * @param excludes classes, which win over those that are included
		 * @return this builder
		 */
		public Builder excludes(List<? extends Class<? extends Throwable>> excludes) {
			this.excludes = List.copyOf(excludes);
			return this;
		}

		/**
		 * Builds the settings.
		 * @return immutable settings
		 * @throws IllegalArgumentException if a value cannot work
		 */
		public RetrySettings build() {
			if (this.backOff != null && hasDelays()) {
				throw new IllegalArgumentException("There is a back-off and a delay: set one of them");
			}
			return isEmpty() ? NONE : new RetrySettings(new Builder().apply(this));
		}

		private Builder apply(Builder other) {
			if (other.backOff != null) {
				this.delay = null;
				this.jitter = null;
				this.multiplier = null;
				this.maxDelay = null;
				this.backOff = other.backOff;
			}
			if (other.hasDelays()) {
				this.backOff = null;
				this.delay = (other.delay != null) ? other.delay : this.delay;
				this.jitter = (other.jitter != null) ? other.jitter : this.jitter;
				this.multiplier = (other.multiplier != null) ? other.multiplier : this.multiplier;
				this.maxDelay = (other.maxDelay != null) ? other.maxDelay : this.maxDelay;
			}
			this.includes = other.includes.isEmpty() ? this.includes : other.includes;
			this.excludes = other.excludes.isEmpty() ? this.excludes : other.excludes;
			return this;
		}

		private boolean isEmpty() {
			return !hasDelays() && this.backOff == null && this.includes.isEmpty() && this.excludes.isEmpty();
		}

		private boolean hasDelays() {
			return this.delay != null || this.jitter != null || this.multiplier != null || this.maxDelay != null;
		}

		private @Nullable BackOff createBackOff() {
			if (!hasDelays()) {
				return this.backOff;
			}
			RetryPolicy.Builder policy = RetryPolicy.builder().maxRetries(Long.MAX_VALUE);
			if (this.delay != null) {
				policy.delay(this.delay);
			}
			if (this.jitter != null) {
				policy.jitter(this.jitter);
			}
			if (this.multiplier != null) {
				policy.multiplier(this.multiplier);
			}
			if (this.maxDelay != null) {
				policy.maxDelay(this.maxDelay);
			}
			return policy.build().getBackOff();
		}

		private @Nullable RetryPolicy createRetryable() {
			if (this.includes.isEmpty() && this.excludes.isEmpty()) {
				return null;
			}
			List<Class<? extends Throwable>> included = new ArrayList<>(this.includes);
			if (!included.isEmpty()) {
				included.addAll(NOT_OF_HANDLERS);
			}
			return RetryPolicy.builder().includes(included).excludes(this.excludes).build();
		}

	}

}
