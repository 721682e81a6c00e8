package io.asynq;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * How a task is to be enqueued (asynq D01–D15). Every value is optional; what is not set
 * is taken from the task, from the defaults of its type, or from asynq's own defaults.
 * Immutable and safe for concurrent use.
 */
public final class TaskOptions {

	/** Retries when none are given. */
	public static final int DEFAULT_MAX_RETRY = 25;

	/** Queue when none is given. */
	public static final String DEFAULT_QUEUE = "default";

	/** Timeout when neither timeout nor deadline is given. */
	public static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(30);

	private static final TaskOptions NONE = new TaskOptions(new Builder());

	private final @Nullable Integer maxRetry;

	private final @Nullable String queue;

	private final @Nullable String taskId;

	private final @Nullable Duration timeout;

	private final @Nullable Instant deadline;

	private final @Nullable Duration uniqueTtl;

	private final @Nullable Instant processAt;

	private final @Nullable Duration processIn;

	private final @Nullable Duration retention;

	private final @Nullable String group;

	private final Map<String, String> headers;

	private TaskOptions(Builder builder) {
		this.maxRetry = builder.maxRetry;
		this.queue = builder.queue;
		this.taskId = builder.taskId;
		this.timeout = builder.timeout;
		this.deadline = builder.deadline;
		this.uniqueTtl = builder.uniqueTtl;
		this.processAt = builder.processAt;
		this.processIn = builder.processIn;
		this.retention = builder.retention;
		this.group = builder.group;
		this.headers = builder.headers.isEmpty() ? Map.of() : Map.copyOf(builder.headers);
	}

	/**
	 * Returns options with nothing set.
	 * @return empty options
	 */
	public static TaskOptions none() {
		return NONE;
	}

	/**
	 * Returns a builder with nothing set.
	 * @return a new builder
	 */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Builds options in one expression: {@code TaskOptions.of(o -> o.queue("low"))}.
	 * @param spec sets what is wanted
	 * @return the options
	 */
	public static TaskOptions of(Consumer<Builder> spec) {
		Builder builder = new Builder();
		spec.accept(builder);
		return builder.build();
	}

	/**
	 * Returns these options with the other's values where the other has any; headers are
	 * merged, the other's win (C07).
	 * @param other the stronger options
	 * @return the merged options
	 */
	public TaskOptions overriddenBy(TaskOptions other) {
		if (other == NONE || this == other) {
			return this;
		}
		return (this == NONE) ? other : toBuilder().apply(other).build();
	}

	/**
	 * Returns a builder that starts with these values.
	 * @return a new builder
	 */
	public Builder toBuilder() {
		return new Builder().apply(this);
	}

	public @Nullable Integer maxRetry() {
		return this.maxRetry;
	}

	public @Nullable String queue() {
		return this.queue;
	}

	public @Nullable String taskId() {
		return this.taskId;
	}

	public @Nullable Duration timeout() {
		return this.timeout;
	}

	public @Nullable Instant deadline() {
		return this.deadline;
	}

	public @Nullable Duration uniqueTtl() {
		return this.uniqueTtl;
	}

	public @Nullable Instant processAt() {
		return this.processAt;
	}

	public @Nullable Duration processIn() {
		return this.processIn;
	}

	public @Nullable Duration retention() {
		return this.retention;
	}

	public @Nullable String group() {
		return this.group;
	}

	public Map<String, String> headers() {
		return this.headers;
	}

	/**
	 * Returns the time at which the task is to become pending.
	 * @param now the present
	 * @return the absolute time, or {@code null} when neither {@code processAt} nor
	 * {@code processIn} is set
	 */
	public @Nullable Instant processTime(Instant now) {
		return (this.processIn != null) ? now.plus(this.processIn) : this.processAt;
	}

	@Override
	public String toString() {
		StringBuilder text = new StringBuilder("TaskOptions");
		Map<String, @Nullable Object> values = new LinkedHashMap<>();
		values.put("queue", this.queue);
		values.put("taskId", this.taskId);
		values.put("maxRetry", this.maxRetry);
		values.put("timeout", this.timeout);
		values.put("deadline", this.deadline);
		values.put("unique", this.uniqueTtl);
		values.put("processAt", this.processAt);
		values.put("processIn", this.processIn);
		values.put("retention", this.retention);
		values.put("group", this.group);
		values.values().removeIf((value) -> value == null);
		return text.append(values).toString();
	}

	/**
	 * Collects options; each method refuses values that could not work, naming the
	 * option. Not safe for concurrent use.
	 */
	public static final class Builder {

		private static final Duration ONE_SECOND = Duration.ofSeconds(1);

		private @Nullable Integer maxRetry;

		private @Nullable String queue;

		private @Nullable String taskId;

		private @Nullable Duration timeout;

		private @Nullable Instant deadline;

		private @Nullable Duration uniqueTtl;

		private @Nullable Instant processAt;

		private @Nullable Duration processIn;

		private @Nullable Duration retention;

		private @Nullable String group;

		private final Map<String, String> headers = new LinkedHashMap<>();

		private Builder() {
		}

		/**
		 * How often the task is tried again after a failure (D01).
		 * @param retries retries, default {@value #DEFAULT_MAX_RETRY}; 0 or less archives
		 * the task at its first failure
		 * @return this builder
		 */
		public Builder maxRetry(int retries) {
			this.maxRetry = Math.max(0, retries);
			return this;
		}

		/**
		 * The queue that takes the task (D02); names are case-sensitive.
		 * @param name the queue, default {@value #DEFAULT_QUEUE}
		 * @return this builder
		 */
		public Builder queue(String name) {
			this.queue = text("queue", name);
			return this;
		}

		/**
		 * The task's id (D03), unique within its queue for as long as the task exists,
		 * archived and retained tasks included. Without one a random UUID is taken.
		 * @param id the id
		 * @return this builder
		 */
		public Builder taskId(String id) {
			this.taskId = text("taskId", id);
			return this;
		}

		/**
		 * How long one attempt may last (D04), in whole seconds; a fraction is cut off.
		 * @param timeout zero (none) or at least one second, of which 292 years count; 30
		 * minutes when neither timeout nor deadline is given
		 * @return this builder
		 */
		public Builder timeout(Duration timeout) {
			this.timeout = zeroOrSeconds("timeout", timeout);
			return this;
		}

		/**
		 * When the task must have ended (D05), in whole seconds. With a timeout, the
		 * earlier of both counts.
		 * @param deadline the end
		 * @return this builder
		 */
		public Builder deadline(Instant deadline) {
			this.deadline = deadline;
			return this;
		}

		/**
		 * Refuses a second task with the same type, payload and queue until the first has
		 * been done or the time is over (D07, D08).
		 * @param ttl at least one second; a fraction is cut off
		 * @return this builder
		 */
		public Builder unique(Duration ttl) {
			if (ttl.compareTo(ONE_SECOND) < 0) {
				throw new InvalidTaskException("unique",
						"Option 'unique' must be at least 1 second, but is " + ttl + ": it is the life of a lock");
			}
			this.uniqueTtl = ttl;
			return this;
		}

		/**
		 * When the task becomes pending (D09), in whole seconds: it may start up to one
		 * second early. Replaces {@code processIn}.
		 * @param time the time; the past means at once
		 * @return this builder
		 */
		public Builder processAt(Instant time) {
			this.processAt = time;
			this.processIn = null;
			return this;
		}

		/**
		 * After which delay the task becomes pending (D09). Replaces {@code processAt}.
		 * @param delay the delay; zero or less means at once
		 * @return this builder
		 */
		public Builder processIn(Duration delay) {
			this.processIn = delay;
			this.processAt = null;
			return this;
		}

		/**
		 * How long a task that succeeded is kept, with its result (D10).
		 * @param retention zero (not kept, the default) or at least one second, of which
		 * 292 years count
		 * @return this builder
		 */
		public Builder retention(Duration retention) {
			this.retention = zeroOrSeconds("retention", retention);
			return this;
		}

		/**
		 * Collects the task in a group that an aggregator turns into one task (D11).
		 * @param group the group's name
		 * @return this builder
		 */
		public Builder group(String group) {
			this.group = text("group", group);
			return this;
		}

		/**
		 * Adds a header (D13); Go asynq below 0.26 drops headers when it retries a task.
		 * @param name the name
		 * @param value the value
		 * @return this builder
		 */
		public Builder header(String name, String value) {
			this.headers.put(text("header", name), InvalidTaskException.requireUtf8("header", value));
			return this;
		}

		/**
		 * Adds headers, see {@link #header}.
		 * @param headers names and values
		 * @return this builder
		 */
		public Builder headers(Map<String, String> headers) {
			headers.forEach(this::header);
			return this;
		}

		/**
		 * Returns the options as they stand.
		 * @return immutable options
		 */
		public TaskOptions build() {
			return new TaskOptions(this);
		}

		private Builder apply(TaskOptions other) {
			this.maxRetry = (other.maxRetry != null) ? other.maxRetry : this.maxRetry;
			this.queue = (other.queue != null) ? other.queue : this.queue;
			this.taskId = (other.taskId != null) ? other.taskId : this.taskId;
			this.timeout = (other.timeout != null) ? other.timeout : this.timeout;
			this.deadline = (other.deadline != null) ? other.deadline : this.deadline;
			this.uniqueTtl = (other.uniqueTtl != null) ? other.uniqueTtl : this.uniqueTtl;
			this.retention = (other.retention != null) ? other.retention : this.retention;
			this.group = (other.group != null) ? other.group : this.group;
			if (other.processAt != null || other.processIn != null) {
				this.processAt = other.processAt;
				this.processIn = other.processIn;
			}
			this.headers.putAll(other.headers);
			return this;
		}

		private static String text(String option, String value) {
			return InvalidTaskException.requireText(option, value);
		}

		private static Duration zeroOrSeconds(String option, Duration value) {
			if (value.isNegative() || (!value.isZero() && value.compareTo(ONE_SECOND) < 0)) {
				throw new InvalidTaskException(option, "Option '" + option
						+ "' must be zero or at least 1 second, but is " + value + ": asynq counts whole seconds");
			}
			return value;
		}

	}

}
