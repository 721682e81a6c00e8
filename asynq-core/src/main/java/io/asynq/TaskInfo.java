package io.asynq;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.jspecify.annotations.Nullable;

/**
 * A task in Redis as it was at one moment, as Go's {@code TaskInfo}. Immutable, except
 * that the bytes of payload and result are not copied. Its JSON form is described in
 * docs/inspector.md.
 *
 * @param retried how often the task has been retried after failures so far
 * @param timeout how long one attempt may last: whole seconds, zero for no limit
 * @param nextProcessAt when a task in scheduled or retry is due, about now for a pending
 * one; {@code null} in other states
 * @param pendingSince since when a pending task could have been taken by a worker;
 * {@code null} in other states and if it was not noted
 * @param waitsFor which limits a task in retry waits for, which is then no failure: the
 * name of each, followed by a colon and the key if it has one; not all of them need be
 * taken. It runs as soon as it has a token of each of them, usually before it is due.
 * Empty if the task waits for none
 * @param orphaned whether an active task's lease has ended; known only in listings of
 * active tasks
 * @param retention how long the task is kept after it has succeeded: whole seconds, zero
 * if it is deleted at once
 * @param result what the handler wrote or returned; {@code null} if there is none
 */
public record TaskInfo(String id, String queue, @JsonUnwrapped Task task, TaskState state, int maxRetry, int retried,
		@Nullable String lastError, @Nullable Instant lastFailedAt, Duration timeout, @Nullable Instant deadline,
		@Nullable String group, @Nullable Instant nextProcessAt, @Nullable Instant pendingSince, List<String> waitsFor,
		boolean orphaned, Duration retention, @Nullable Instant completedAt, byte @Nullable [] result) {

	/**
	 * Returns a builder with the values that every task has.
	 */
	public static Builder builder(String id, String queue, Task task, TaskState state) {
		return new Builder(id, queue, task, state);
	}

	public String type() {
		return this.task.type();
	}

	public byte @Nullable [] payload() {
		return this.task.payload();
	}

	public Map<String, String> headers() {
		return this.task.headers();
	}

	@Override
	public String toString() {
		return "TaskInfo[id=" + this.id + ", queue=" + this.queue + ", type=" + type() + ", state="
				+ this.state.wireName() + ", retried=" + this.retried + "/" + this.maxRetry + "]";
	}

	/**
	 * Builds a {@link TaskInfo}. Not safe for concurrent use.
	 */
	public static final class Builder {

		private final String id;

		private final String queue;

		private final Task task;

		private final TaskState state;

		private int maxRetry;

		private int retried;

		private @Nullable String lastError;

		private @Nullable Instant lastFailedAt;

		private Duration timeout = Duration.ZERO;

		private @Nullable Instant deadline;

		private @Nullable String group;

		private @Nullable Instant nextProcessAt;

		private @Nullable Instant pendingSince;

		private List<String> waitsFor = List.of();

		private boolean orphaned;

		private Duration retention = Duration.ZERO;

		private @Nullable Instant completedAt;

		private byte @Nullable [] result;

		private Builder(String id, String queue, Task task, TaskState state) {
			this.id = id;
			this.queue = queue;
			this.task = task;
			this.state = state;
		}

		public Builder maxRetry(int maxRetry) {
			this.maxRetry = maxRetry;
			return this;
		}

		public Builder retried(int retried) {
			this.retried = retried;
			return this;
		}

		public Builder lastError(@Nullable String lastError) {
			this.lastError = lastError;
			return this;
		}

		public Builder lastFailedAt(@Nullable Instant lastFailedAt) {
			this.lastFailedAt = lastFailedAt;
			return this;
		}

		public Builder timeout(Duration timeout) {
			this.timeout = timeout;
			return this;
		}

		public Builder deadline(@Nullable Instant deadline) {
			this.deadline = deadline;
			return this;
		}

		public Builder group(@Nullable String group) {
			this.group = group;
			return this;
		}

		public Builder nextProcessAt(@Nullable Instant nextProcessAt) {
			this.nextProcessAt = nextProcessAt;
			return this;
		}

		public Builder pendingSince(@Nullable Instant pendingSince) {
			this.pendingSince = pendingSince;
			return this;
		}

		public Builder waitsFor(List<String> waitsFor) {
			this.waitsFor = List.copyOf(waitsFor);
			return this;
		}

		public Builder orphaned(boolean orphaned) {
			this.orphaned = orphaned;
			return this;
		}

		public Builder retention(Duration retention) {
			this.retention = retention;
			return this;
		}

		public Builder completedAt(@Nullable Instant completedAt) {
			this.completedAt = completedAt;
			return this;
		}

		public Builder result(byte @Nullable [] result) {
			this.result = (result != null && result.length > 0) ? result : null;
			return this;
		}

		public TaskInfo build() {
			return new TaskInfo(this.id, this.queue, this.task, this.state, this.maxRetry, this.retried, this.lastError,
					this.lastFailedAt, this.timeout, this.deadline, this.group, this.nextProcessAt, this.pendingSince,
					this.waitsFor, this.orphaned, this.retention, this.completedAt, this.result);
		}

	}

}
