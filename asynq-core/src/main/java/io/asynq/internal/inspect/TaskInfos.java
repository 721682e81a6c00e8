package io.asynq.internal.inspect;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;

import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.redis.Text;
import io.asynq.internal.worker.LimitClass;
import org.jspecify.annotations.Nullable;

public final class TaskInfos {

	/** What fits into a long, other than zero. */
	private static final Pattern NANOS = Pattern.compile("[1-9]\\d{0,17}|[1-8]\\d{18}");

	private TaskInfos() {
	}

	public static TaskInfo.Builder builder(TaskMessage message, TaskState state, String score, byte[] result,
			Instant now) {
		return TaskInfo.builder(message.id(), message.queue(), message.toTask(), state)
			.maxRetry(message.maxRetry())
			.retried(message.retried())
			.lastError(message.errorMessage().isEmpty() ? null : message.errorMessage())
			.lastFailedAt(instant(message.lastFailedAtSeconds()))
			.timeout(Duration.ofSeconds(message.timeoutSeconds()))
			.deadline(instant(message.deadlineSeconds()))
			.group(message.group().isEmpty() ? null : message.group())
			.nextProcessAt(nextProcessAt(state, score, now))
			.retention(Duration.ofSeconds(message.retentionSeconds()))
			.completedAt(instant(message.completedAtSeconds()))
			.result(result);
	}

	/** The task may have been moved since its due time and needs were {@code noted}. */
	public static List<String> waitsFor(String queue, TaskState state, String score, String noted) {
		if (state != TaskState.RETRY || score.isEmpty() || !noted.startsWith(score + "\n")) {
			return List.of();
		}
		return new LimitClass(queue, noted.substring(score.length() + 1)).each()
			.stream()
			.map((need) -> LimitClass.key(need).isEmpty() ? LimitClass.limit(need)
					: LimitClass.limit(need) + ":" + LimitClass.key(need))
			.toList();
	}

	public static @Nullable Instant pendingSince(TaskState state, String nanos) {
		return (state == TaskState.PENDING && NANOS.matcher(nanos).matches()) ? Text.ofNanos(Text.utf8(nanos)) : null;
	}

	private static @Nullable Instant nextProcessAt(TaskState state, String score, Instant now) {
		return switch (state) {
			case PENDING -> now;
			case SCHEDULED, RETRY -> score.isEmpty() ? null : Text.instant(score);
			default -> null;
		};
	}

	private static @Nullable Instant instant(long seconds) {
		return (seconds != 0) ? Text.instant(seconds) : null;
	}

}
