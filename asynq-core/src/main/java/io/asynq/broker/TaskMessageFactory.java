package io.asynq.broker;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

import io.asynq.InvalidTaskException;
import io.asynq.Task;
import io.asynq.TaskOptions;
import org.jspecify.annotations.Nullable;

/**
 * Turns a task and its options into what is stored (asynq C10, D01–D13). Safe for
 * concurrent use.
 */
public final class TaskMessageFactory {

	/** Redis refuses times beyond the end of its clock. */
	private static final Duration LONGEST_LOCK = Duration.ofDays(365_000);

	private final Clock clock;

	private final TaskIds ids = new TaskIds();

	public TaskMessageFactory(Clock clock) {
		this.clock = clock;
	}

	/**
	 * Builds the request.
	 * @param task the task
	 * @param options all options that apply, merged
	 * @return what to store
	 * @throws InvalidTaskException if the type is blank
	 */
	public EnqueueRequest create(Task task, TaskOptions options) {
		Instant now = this.clock.instant();
		long deadline = (options.deadline() != null) ? options.deadline().getEpochSecond() : 0;
		TaskMessage message = TaskMessage
			.builder(InvalidTaskException.requireText("type", task.type()),
					Objects.requireNonNullElseGet(options.taskId(), this.ids::next),
					Objects.requireNonNullElse(options.queue(), TaskOptions.DEFAULT_QUEUE))
			.payload(task.payload())
			.maxRetry(Objects.requireNonNullElse(options.maxRetry(), TaskOptions.DEFAULT_MAX_RETRY))
			.timeoutSeconds(timeout(options.timeout(), deadline))
			.deadlineSeconds(deadline)
			.retentionSeconds((options.retention() != null) ? options.retention().toSeconds() : 0)
			.group(Objects.requireNonNullElse(options.group(), ""))
			.headers(headers(task, options))
			.build();
		Instant processAt = options.processTime(now);
		boolean later = processAt != null && processAt.isAfter(now);
		return new EnqueueRequest(message, placement(later ? processAt : null, options.group()),
				lockTtl(options.uniqueTtl(), now, later ? processAt : null));
	}

	private static long timeout(@Nullable Duration timeout, long deadline) {
		long seconds = (timeout != null) ? timeout.toSeconds() : 0;
		// Workers treat neither timeout nor deadline as an internal error
		return (seconds == 0 && deadline == 0) ? TaskOptions.DEFAULT_TIMEOUT.toSeconds() : seconds;
	}

	private static Map<String, String> headers(Task task, TaskOptions options) {
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

	private static @Nullable Duration lockTtl(@Nullable Duration ttl, Instant now, @Nullable Instant later) {
		if (ttl == null) {
			return null;
		}
		Duration life = (ttl.compareTo(LONGEST_LOCK) < 0) ? ttl : LONGEST_LOCK;
		Duration whole = (later != null) ? Duration.between(now, later).plus(life) : life;
		return Duration.ofSeconds(Math.max(1, Math.min(whole.toSeconds(), LONGEST_LOCK.toSeconds())));
	}

}
