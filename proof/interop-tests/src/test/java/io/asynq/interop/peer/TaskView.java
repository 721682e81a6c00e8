package io.asynq.interop.peer;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import io.asynq.TaskInfo;
import io.asynq.TaskState;
import org.jspecify.annotations.Nullable;

/**
 * Every field of a task as one side shows it, in a form that can be compared. Bytes are
 * text with one char per byte.
 *
 * @param id the id
 * @param queue the queue
 * @param type the type
 * @param payload the payload, {@code null} for none
 * @param headers the headers
 * @param state where it stands
 * @param maxRetry retries at most
 * @param retried retries so far
 * @param lastError text of the last error
 * @param lastFailedAt when it failed last
 * @param timeout how long an attempt may last
 * @param deadline when it must have ended
 * @param group its group
 * @param nextProcessAt when it is due
 * @param orphaned whether nobody works on it though it is active
 * @param retention how long it is kept
 * @param completedAt when it succeeded
 * @param result its result
 */
public record TaskView(String id, String queue, String type, @Nullable String payload, Map<String, String> headers,
		TaskState state, int maxRetry, int retried, @Nullable String lastError, @Nullable Instant lastFailedAt,
		Duration timeout, @Nullable Instant deadline, @Nullable String group, @Nullable Instant nextProcessAt,
		boolean orphaned, Duration retention, @Nullable Instant completedAt, @Nullable String result) {

	/**
	 * Returns our own view of a task.
	 */
	public static TaskView of(TaskInfo info) {
		return new TaskView(info.id(), info.queue(), info.type(), text(info.payload()), info.headers(), info.state(),
				info.maxRetry(), info.retried(), info.lastError(), info.lastFailedAt(), info.timeout(), info.deadline(),
				info.group(), info.nextProcessAt(), info.orphaned(), info.retention(), info.completedAt(),
				text(info.result()));
	}

	/**
	 * Returns this view without the due time of a pending task, which is always the time
	 * of the query.
	 */
	public TaskView timeless() {
		return (this.state == TaskState.PENDING) ? withNextProcessAt(null) : this;
	}

	/**
	 * Returns what Redis keeps of the result of an enqueue call: whole seconds, and no
	 * distinction between an empty payload and none.
	 */
	public TaskView asStored() {
		TaskView stored = (this.payload != null && this.payload.isEmpty()) ? withPayload(null) : this;
		Instant next = stored.nextProcessAt;
		return (next == null) ? stored : stored.withNextProcessAt(Instant.ofEpochSecond(next.getEpochSecond()));
	}

	static @Nullable String text(byte @Nullable [] bytes) {
		return (bytes != null) ? new String(bytes, StandardCharsets.ISO_8859_1) : null;
	}

	private TaskView withPayload(@Nullable String payload) {
		return new TaskView(this.id, this.queue, this.type, payload, this.headers, this.state, this.maxRetry,
				this.retried, this.lastError, this.lastFailedAt, this.timeout, this.deadline, this.group,
				this.nextProcessAt, this.orphaned, this.retention, this.completedAt, this.result);
	}

	private TaskView withNextProcessAt(@Nullable Instant nextProcessAt) {
		return new TaskView(this.id, this.queue, this.type, this.payload, this.headers, this.state, this.maxRetry,
				this.retried, this.lastError, this.lastFailedAt, this.timeout, this.deadline, this.group, nextProcessAt,
				this.orphaned, this.retention, this.completedAt, this.result);
	}

}
