package io.asynq.internal.enqueue;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.asynq.EnqueueInterceptor;
import io.asynq.InvalidTaskException;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.internal.redis.TaskIds;
import io.asynq.internal.redis.TaskMessage;
import org.jspecify.annotations.Nullable;

/**
 * As Go's client does (docs/compatibility.md, C10); every new task comes from here, so
 * none bypasses the interceptors.
 */
public final class TaskMessageFactory {

	/** Redis refuses times beyond the end of its clock. */
	private static final Duration LONGEST_LOCK = Duration.ofDays(365_000);

	/** Go counts in nanoseconds: a longer time would become negative there. */
	private static final long LONGEST_SECONDS = Long.MAX_VALUE / 1_000_000_000;

	private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

	private final Clock clock;

	private final EnqueueInterceptors interceptors;

	private final TaskIds ids = new TaskIds();

	public TaskMessageFactory(Clock clock, List<EnqueueInterceptor> interceptors) {
		this.clock = clock;
		this.interceptors = new EnqueueInterceptors(interceptors);
	}

	public EnqueueRequest create(Task task, TaskOptions options) {
		return this.interceptors.intercept(draft(task, options));
	}

	/** For a task that is not to be stored yet: no interceptor sees it. */
	public EnqueueRequest draft(Task task, TaskOptions options) {
		Instant now = this.clock.instant();
		long deadline = (options.deadline() != null) ? earlier(options.deadline(), LATEST).getEpochSecond() : 0;
		TaskMessage message = TaskMessage
			.builder(InvalidTaskException.requireText("type", task.type()),
					Objects.requireNonNullElseGet(options.taskId(), this.ids::next),
					Objects.requireNonNullElse(options.queue(), TaskOptions.DEFAULT_QUEUE))
			.payload(task.payload())
			.maxRetry(Objects.requireNonNullElse(options.maxRetry(), TaskOptions.DEFAULT_MAX_RETRY))
			.timeoutSeconds(timeout(options.timeout(), deadline))
			.deadlineSeconds(deadline)
			.retentionSeconds(seconds(options.retention()))
			.group(Objects.requireNonNullElse(options.group(), ""))
			.headers(headers(task, options))
			.build();
		Instant processAt = processTime(options, now);
		boolean later = processAt != null && processAt.isAfter(now);
		return new EnqueueRequest(message, placement(later ? processAt : null, options.group()),
				lockTtl(options.uniqueTtl(), now, later ? processAt : null), lockKey(options),
				options.replaceArchived());
	}

	private static long seconds(@Nullable Duration duration) {
		return (duration != null) ? Math.min(duration.toSeconds(), LONGEST_SECONDS) : 0;
	}

	private static @Nullable Instant processTime(TaskOptions options, Instant now) {
		Duration delay = options.processIn();
		if (delay != null && delay.compareTo(Duration.between(now, LATEST)) > 0) {
			return LATEST;
		}
		Instant time = (delay != null && delay.isNegative()) ? now : options.processTime(now);
		return (time != null) ? earlier(time, LATEST) : null;
	}

	private static Instant earlier(Instant one, Instant other) {
		return one.isBefore(other) ? one : other;
	}

	private static long timeout(@Nullable Duration timeout, long deadline) {
		long seconds = seconds(timeout);
		// Workers treat neither timeout nor deadline as an internal error
		return (seconds == 0 && deadline == 0) ? TaskOptions.DEFAULT_TIMEOUT.toSeconds() : seconds;
	}

	private static Map<String, String> headers(Task task, TaskOptions options) {
		// Those of the options were checked when they were set
		task.headers().forEach((name, value) -> {
			InvalidTaskException.requireText("header", name);
			InvalidTaskException.requireUtf8("header", value);
		});
		if (options.headers().isEmpty()) {
			return task.headers();
		}
		Map<String, String> headers = new HashMap<>(task.headers());
		headers.putAll(options.headers());
		return Map.copyOf(headers);
	}

	private static Placement placement(@Nullable Instant later, @Nullable String group) {
		if (later != null) {
			return new Placement.Scheduled(later);
		}
		return (group != null) ? new Placement.Grouped() : new Placement.Pending();
	}

	private static @Nullable String lockKey(TaskOptions options) {
		if (options.uniqueKey() != null && options.uniqueTtl() == null) {
			throw new InvalidTaskException("uniqueKey", "Option 'uniqueKey' needs option 'unique', which says for how"
					+ " long a second task with the key '" + options.uniqueKey() + "' is refused");
		}
		return options.uniqueKey();
	}

	private static @Nullable Duration lockTtl(@Nullable Duration ttl, Instant now, @Nullable Instant later) {
		if (ttl == null) {
			return null;
		}
		Duration life = (ttl.compareTo(LONGEST_LOCK) < 0) ? ttl : LONGEST_LOCK;
		Duration whole = (later != null) ? Duration.between(now, later).plus(life) : life;
		return Duration.ofSeconds(Math.max(1, Math.min(whole.toSeconds(), LONGEST_LOCK.toSeconds())));
	}

}
