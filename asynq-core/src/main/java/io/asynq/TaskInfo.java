package io.asynq;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.jspecify.annotations.Nullable;

/**
 * A task in Redis as it was at one moment, as Go's {@code TaskInfo}. Immutable, except
 * that the bytes of payload and result are not copied. Its JSON form is described in
 * docs/inspector.md.
 */
@JsonAutoDetect(fieldVisibility = Visibility.ANY)
public final class TaskInfo {

	private final String id;

	private final String queue;

	@JsonUnwrapped
	private final Task task;

	private final TaskState state;

	private final int maxRetry;

	private final int retried;

	private final @Nullable String lastError;

	private final @Nullable Instant lastFailedAt;

	private final Duration timeout;

	private final @Nullable Instant deadline;

	private final @Nullable String group;

	private final @Nullable Instant nextProcessAt;

	private final @Nullable Instant pendingSince;

	private final List<String> waitsFor;

	private final boolean orphaned;

	private final Duration retention;

	private final @Nullable Instant completedAt;

	private final byte @Nullable [] result;

	private TaskInfo(Builder builder) {
		this.id = builder.id;
		this.queue = builder.queue;
		this.task = builder.task;
		this.state = builder.state;
		this.maxRetry = builder.maxRetry;
		this.retried = builder.retried;
		this.lastError = builder.lastError;
		this.lastFailedAt = builder.lastFailedAt;
		this.timeout = builder.timeout;
		this.deadline = builder.deadline;
		this.group = builder.group;
		this.nextProcessAt = builder.nextProcessAt;
		this.pendingSince = builder.pendingSince;
		this.waitsFor = builder.waitsFor;
		this.orphaned = builder.orphaned;
		this.retention = builder.retention;
		this.completedAt = builder.completedAt;
		this.result = builder.result;
	}

	/**
	 * Returns a builder with the values that every task has.
	 */
	public static Builder builder(String id, String queue, Task task, TaskState state) {
		return new Builder(id, queue, task, state);
	}

	public String id() {
		return this.id;
	}

	public String queue() {
		return this.queue;
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

	public TaskState state() {
		return this.state;
	}

	public int maxRetry() {
		return this.maxRetry;
	}

	/**
	 * Returns how often the task has been retried after failures so far.
	 */
	public int retried() {
		return this.retried;
	}

	public @Nullable String lastError() {
		return this.lastError;
	}

	public @Nullable Instant lastFailedAt() {
		return this.lastFailedAt;
	}

	/**
	 * Returns how long one attempt may last: whole seconds, zero for no limit.
	 */
	public Duration timeout() {
		return this.timeout;
	}

	public @Nullable Instant deadline() {
		return this.deadline;
	}

	public @Nullable String group() {
		return this.group;
	}

	/**
	 * Returns when a task in scheduled or retry is due, about now for a pending one;
	 * {@code null} in other states.
	 */
	public @Nullable Instant nextProcessAt() {
		return this.nextProcessAt;
	}

	/**
	 * Returns since when a pending task could have been taken by a worker; {@code null}
	 * in other states and if it was not noted.
	 */
	public @Nullable Instant pendingSince() {
		return this.pendingSince;
	}

	/**
	 * Returns which limits a task in retry waits for, which is then no failure. It runs
	 * as soon as it has a token of each of them, usually before it is due.
	 * @return the name of each, followed by a colon and the key if it has one; not all of
	 * them need be taken. Empty if the task waits for none
	 */
	public List<String> waitsFor() {
		return this.waitsFor;
	}

	/**
	 * Returns whether an active task's lease has ended; known only in listings of active
	 * tasks.
	 */
	public boolean orphaned() {
		return this.orphaned;
	}

	/**
	 * Returns how long the task is kept after it has succeeded: whole seconds, zero if it
	 * is deleted at once.
	 */
	public Duration retention() {
		return this.retention;
	}

	public @Nullable Instant completedAt() {
		return this.completedAt;
	}

	/**
	 * Returns the result that the handler wrote or returned; {@code null} if there is
	 * none.
	 */
	public byte @Nullable [] result() {
		return this.result;
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
			return new TaskInfo(this);
		}

	}

}
