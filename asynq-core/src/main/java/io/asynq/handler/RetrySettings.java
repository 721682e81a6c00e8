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
 * How failed tasks of one handler are retried; what is not set is as for all handlers.
 */
public final class RetrySettings {

	/**
	 * No handler has thrown these, so they are retried as long as no setting excludes
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

	public static RetrySettings none() {
		return NONE;
	}

	public static Builder builder() {
		return new Builder();
	}

	/**
	 * A delay, jitter, multiplier or longest delay replaces a back-off, and the other way
	 * round.
	 */
	public RetrySettings overriddenBy(RetrySettings other) {
		if (other == NONE || this == other) {
			return this;
		}
		return (this == NONE) ? other : new Builder().apply(this.values).apply(other.values).build();
	}

	/**
	 * If not, the {@link io.asynq.RetryDelayPolicy} decides.
	 */
	public boolean hasDelay() {
		return this.backOff != null;
	}

	/**
	 * Empty if the back-off ends here.
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
	 * Causes count as well.
	 */
	public boolean isRetryable(Throwable error) {
		return this.retryable == null || this.retryable.shouldRetry(error);
	}

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

		public Builder delay(@Nullable Duration delay) {
			this.delay = delay;
			return this;
		}

		public Builder jitter(@Nullable Duration jitter) {
			this.jitter = jitter;
			return this;
		}

		public Builder multiplier(@Nullable Double multiplier) {
			this.multiplier = multiplier;
			return this;
		}

		public Builder maxDelay(@Nullable Duration maxDelay) {
			this.maxDelay = maxDelay;
			return this;
		}

		/**
		 * Asked anew at each failure, by many threads, for as many delays as the task was
		 * retried, at most a thousand.
		 */
		public Builder backOff(@Nullable BackOff backOff) {
			this.backOff = backOff;
			return this;
		}

		/**
		 * Errors that no handler has thrown, such as a passed deadline, are retried all
		 * the same.
		 */
		public Builder includes(List<? extends Class<? extends Throwable>> includes) {
			this.includes = List.copyOf(includes);
			return this;
		}

		/**
		 * They win over errors that are included.
		 */
		public Builder excludes(List<? extends Class<? extends Throwable>> excludes) {
			this.excludes = List.copyOf(excludes);
			return this;
		}

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
