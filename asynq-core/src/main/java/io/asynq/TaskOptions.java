package io.asynq;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

import com.fasterxml.jackson.annotation.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * How a task is enqueued. An option that is not set is taken from the task, the defaults
 * of its type or class, or asynq's own defaults. Immutable and safe for concurrent use.
 */
public final class TaskOptions {

	/** Retries when none are given. */
	public static final int DEFAULT_MAX_RETRY = 25;

	/** Queue when none is given. */
	public static final String DEFAULT_QUEUE = "default";

	/** Timeout when neither timeout nor deadline is given. */
	public static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(30);

	private static final TaskOptions NONE = new TaskOptions(new Builder());

	private final Map<TaskOption, Object> values;

	private TaskOptions(Builder builder) {
		Map<TaskOption, Object> values = new EnumMap<>(builder.values);
		if (!builder.headers.isEmpty()) {
			values.put(TaskOption.HEADERS, Map.copyOf(builder.headers));
		}
		this.values = Collections.unmodifiableMap(values);
	}

	public static TaskOptions none() {
		return NONE;
	}

	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Builds options in one expression: {@code TaskOptions.of((o) -> o.queue("low"))}.
	 */
	public static TaskOptions of(Consumer<Builder> spec) {
		Builder builder = new Builder();
		spec.accept(builder);
		return builder.build();
	}

	/**
	 * Returns these options, of which others override those that they set. Headers are
	 * merged; of two with the same name the other one wins.
	 */
	public TaskOptions overriddenBy(TaskOptions other) {
		if (other == NONE || this == other) {
			return this;
		}
		return (this == NONE) ? other : toBuilder().apply(other).build();
	}

	/**
	 * Returns a builder that starts with these values.
	 */
	public Builder toBuilder() {
		return new Builder().apply(this);
	}

	public @Nullable Integer maxRetry() {
		return get(TaskOption.MAX_RETRY);
	}

	public @Nullable String queue() {
		return get(TaskOption.QUEUE);
	}

	public @Nullable String taskId() {
		return get(TaskOption.TASK_ID);
	}

	public @Nullable Duration timeout() {
		return get(TaskOption.TIMEOUT);
	}

	public @Nullable Instant deadline() {
		return get(TaskOption.DEADLINE);
	}

	public @Nullable Duration uniqueTtl() {
		return get(TaskOption.UNIQUE);
	}

	public @Nullable String uniqueKey() {
		return get(TaskOption.UNIQUE_KEY);
	}

	public boolean replaceArchived() {
		return Boolean.TRUE.equals(get(TaskOption.REPLACE_ARCHIVED));
	}

	public @Nullable Instant processAt() {
		return get(TaskOption.PROCESS_AT);
	}

	public @Nullable Duration processIn() {
		return get(TaskOption.PROCESS_IN);
	}

	public @Nullable Duration retention() {
		return get(TaskOption.RETENTION);
	}

	public @Nullable String group() {
		return get(TaskOption.GROUP);
	}

	public Map<String, String> headers() {
		Map<String, String> headers = get(TaskOption.HEADERS);
		return (headers != null) ? headers : Map.of();
	}

	/**
	 * Returns the options that are set, in the order of {@link TaskOption}.
	 */
	public Map<TaskOption, Object> values() {
		return this.values;
	}

	/**
	 * Returns when the task becomes pending; {@code null} when neither {@code processAt}
	 * nor {@code processIn} is set.
	 */
	public @Nullable Instant processTime(Instant now) {
		Duration delay = processIn();
		return (delay != null) ? now.plus(delay) : processAt();
	}

	@Override
	public String toString() {
		return "TaskOptions" + json();
	}

	/**
	 * Without headers, which may be secret.
	 */
	@JsonValue
	private Map<String, Object> json() {
		Map<String, Object> json = new LinkedHashMap<>();
		this.values.forEach((option, value) -> json.put(option.key(), value));
		json.remove(TaskOption.HEADERS.key());
		return json;
	}

	@SuppressWarnings("unchecked")
	private <T> @Nullable T get(TaskOption option) {
		return (T) this.values.get(option);
	}

	/**
	 * Builds options. Each method throws {@link InvalidTaskException}, which names the
	 * option, if the value is not valid. Not safe for concurrent use.
	 */
	public static final class Builder {

		private static final Duration ONE_SECOND = Duration.ofSeconds(1);

		private static final int LONGEST_KEY = 255;

		private final Map<TaskOption, Object> values = new EnumMap<>(TaskOption.class);

		private final Map<String, String> headers = new LinkedHashMap<>();

		private Builder() {
		}

		/**
		 * How often the task is tried again after a failure.
		 * @param retries default {@value #DEFAULT_MAX_RETRY}; 0 or less archives the task
		 * at its first failure
		 */
		public Builder maxRetry(int retries) {
			return put(TaskOption.MAX_RETRY, Math.max(0, retries));
		}

		/**
		 * The queue that takes the task; names are case-sensitive.
		 * @param name default {@value #DEFAULT_QUEUE}
		 */
		public Builder queue(String name) {
			return put(TaskOption.QUEUE, InvalidTaskException.requireText("queue", name));
		}

		/**
		 * The task's id, unique within its queue for as long as the task exists, archived
		 * and retained tasks included. By default a random UUID.
		 */
		public Builder taskId(String id) {
			return put(TaskOption.TASK_ID, InvalidTaskException.requireText("taskId", id));
		}

		/**
		 * How long one attempt may last, in whole seconds; a fraction is cut off.
		 * @param timeout at least one second, or zero for no limit but the deadline; more
		 * than 292 years count as 292 years. Without a deadline, the default and zero
		 * mean 30 minutes
		 */
		public Builder timeout(Duration timeout) {
			return put(TaskOption.TIMEOUT, zeroOrSeconds("timeout", timeout));
		}

		/**
		 * The time by which an attempt must have ended, in whole seconds. If there is
		 * also a timeout, the earlier of the two applies.
		 */
		public Builder deadline(Instant deadline) {
			return put(TaskOption.DEADLINE, deadline);
		}

		/**
		 * Refuses a second task with the same type, payload and queue until the first is
		 * done or the time is over. If the task is scheduled, the time counts from when
		 * it is due.
		 * @param ttl at least one second; a fraction is cut off
		 */
		public Builder unique(Duration ttl) {
			if (ttl.compareTo(ONE_SECOND) < 0) {
				throw new InvalidTaskException("unique", "Option 'unique' must be at least 1 second, but is " + ttl
						+ ": a lock lives for whole seconds");
			}
			return put(TaskOption.UNIQUE, ttl);
		}

		/**
		 * A key of one's own that takes the place of the payload for {@link #unique},
		 * which must be set as well. Tasks with a key and tasks without one are never
		 * duplicates of each other.
		 * @param key such as {@code invoice-42}, up to 255 characters; Redis and its
		 * tools show it
		 */
		public Builder uniqueKey(String key) {
			InvalidTaskException.requireText("uniqueKey", key);
			if (key.length() > LONGEST_KEY) {
				throw new InvalidTaskException("uniqueKey", "Option 'uniqueKey' must have at most " + LONGEST_KEY
						+ " characters, but has " + key.length() + ": use an id or a hash");
			}
			return put(TaskOption.UNIQUE_KEY, key);
		}

		/**
		 * Whether the task replaces an archived task with the same {@link #taskId},
		 * instead of being refused: the archived one is deleted and releases its unique
		 * lock in the same step. A task with that id in any other state is not replaced.
		 * @param replace default {@code false}
		 */
		public Builder replaceArchived(boolean replace) {
			return put(TaskOption.REPLACE_ARCHIVED, replace);
		}

		/**
		 * When the task becomes pending; the past means at once. The time is cut to whole
		 * seconds, so the task may start up to one second early. Replaces
		 * {@code processIn}.
		 */
		public Builder processAt(Instant time) {
			return put(TaskOption.PROCESS_AT, time);
		}

		/**
		 * How long after it is enqueued the task becomes pending; zero or less means at
		 * once. The resulting time is cut to whole seconds, so the task may start up to
		 * one second early. Replaces {@code processAt}.
		 */
		public Builder processIn(Duration delay) {
			return put(TaskOption.PROCESS_IN, delay);
		}

		/**
		 * How long a task that succeeded is kept, with its result.
		 * @param retention zero (not kept, the default) or at least one second; more than
		 * 292 years count as 292 years
		 */
		public Builder retention(Duration retention) {
			return put(TaskOption.RETENTION, zeroOrSeconds("retention", retention));
		}

		/**
		 * Puts the task into a group, whose tasks an aggregator turns into one.
		 */
		public Builder group(String group) {
			return put(TaskOption.GROUP, InvalidTaskException.requireText("group", group));
		}

		/**
		 * Adds a header; Go asynq below 0.26 drops headers when it retries a task.
		 * @param value the value; {@code null} leaves the header out
		 */
		public Builder header(String name, @Nullable String value) {
			InvalidTaskException.requireText("header", name);
			if (value != null) {
				this.headers.put(name, InvalidTaskException.requireUtf8("header", value));
			}
			else {
				this.headers.remove(name);
			}
			return this;
		}

		/**
		 * Adds headers, see {@link #header}.
		 */
		public Builder headers(Map<String, @Nullable String> headers) {
			headers.forEach(this::header);
			return this;
		}

		public TaskOptions build() {
			return new TaskOptions(this);
		}

		private Builder apply(TaskOptions other) {
			other.values.forEach(this::put);
			this.headers.putAll(other.headers());
			return this;
		}

		private Builder put(TaskOption option, @Nullable Object value) {
			if (option == TaskOption.PROCESS_AT || option == TaskOption.PROCESS_IN) {
				this.values.remove(TaskOption.PROCESS_AT);
				this.values.remove(TaskOption.PROCESS_IN);
			}
			if (value != null) {
				this.values.put(option, value);
			}
			else {
				this.values.remove(option);
			}
			return this;
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
