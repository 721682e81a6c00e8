package io.asynq.internal.redis;

import java.time.Instant;
import java.util.Map;

import io.asynq.Task;
import io.asynq.event.TaskFacts;
import org.jspecify.annotations.Nullable;

/**
 * A task in asynq's units (Unix seconds; 0 and "" mean none), unknown fields included.
 */
public record TaskMessage(String type, byte @Nullable [] payload, String id, String queue, int maxRetry, int retried,
		String errorMessage, long timeoutSeconds, long deadlineSeconds, String uniqueKey, long lastFailedAtSeconds,
		long retentionSeconds, long completedAtSeconds, String group, Map<String, String> headers,
		byte[] unknownFields) {

	private static final byte[] NOTHING = {};

	private static final int MAX_ERROR_LENGTH = 10_000;

	public static Builder builder(String type, String id, String queue) {
		return new Builder(type, id, queue);
	}

	public Task toTask() {
		Task task = Task.of(this.type, this.payload);
		return this.headers.isEmpty() ? task : task.withHeaders(this.headers);
	}

	public TaskFacts facts() {
		return new TaskFacts(this.id, this.queue, toTask(), this.retried, this.maxRetry);
	}

	/** A stored id and queue are not trusted: those under which it was found count. */
	public TaskMessage at(String queue, String id) {
		return copyTo(new Builder(this.type, id, queue)).build();
	}

	/** The error is cut: longer texts make every later read of the task expensive. */
	public Builder failed(String error, Instant now) {
		String text = (error.length() > MAX_ERROR_LENGTH) ? error.substring(0, MAX_ERROR_LENGTH - 1) + "…" : error;
		return toBuilder().errorMessage(text).lastFailedAtSeconds(Text.seconds(now));
	}

	public Builder toBuilder() {
		return copyTo(new Builder(this.type, this.id, this.queue));
	}

	/** Equal only to itself, however alike another is. */
	@Override
	public boolean equals(@Nullable Object other) {
		return this == other;
	}

	@Override
	public int hashCode() {
		return System.identityHashCode(this);
	}

	@Override
	public String toString() {
		return "TaskMessage[id=" + this.id + ", queue=" + this.queue + ", type=" + this.type + "]";
	}

	private Builder copyTo(Builder builder) {
		return builder.payload(this.payload)
			.maxRetry(this.maxRetry)
			.retried(this.retried)
			.errorMessage(this.errorMessage)
			.timeoutSeconds(this.timeoutSeconds)
			.deadlineSeconds(this.deadlineSeconds)
			.uniqueKey(this.uniqueKey)
			.lastFailedAtSeconds(this.lastFailedAtSeconds)
			.retentionSeconds(this.retentionSeconds)
			.completedAtSeconds(this.completedAtSeconds)
			.group(this.group)
			.headers(this.headers)
			.unknownFields(this.unknownFields);
	}

	public static final class Builder {

		private final String type;

		private final String id;

		private final String queue;

		private byte @Nullable [] payload;

		private int maxRetry;

		private int retried;

		private String errorMessage = "";

		private long timeoutSeconds;

		private long deadlineSeconds;

		private String uniqueKey = "";

		private long lastFailedAtSeconds;

		private long retentionSeconds;

		private long completedAtSeconds;

		private String group = "";

		private Map<String, String> headers = Map.of();

		private byte[] unknownFields = NOTHING;

		private Builder(String type, String id, String queue) {
			this.type = type;
			this.id = id;
			this.queue = queue;
		}

		public Builder payload(byte @Nullable [] payload) {
			this.payload = payload;
			return this;
		}

		public Builder maxRetry(int maxRetry) {
			this.maxRetry = maxRetry;
			return this;
		}

		public Builder retried(int retried) {
			this.retried = retried;
			return this;
		}

		public Builder errorMessage(String errorMessage) {
			this.errorMessage = errorMessage;
			return this;
		}

		public Builder timeoutSeconds(long timeoutSeconds) {
			this.timeoutSeconds = timeoutSeconds;
			return this;
		}

		public Builder deadlineSeconds(long deadlineSeconds) {
			this.deadlineSeconds = deadlineSeconds;
			return this;
		}

		public Builder uniqueKey(String uniqueKey) {
			this.uniqueKey = uniqueKey;
			return this;
		}

		public Builder lastFailedAtSeconds(long lastFailedAtSeconds) {
			this.lastFailedAtSeconds = lastFailedAtSeconds;
			return this;
		}

		public Builder retentionSeconds(long retentionSeconds) {
			this.retentionSeconds = retentionSeconds;
			return this;
		}

		public Builder completedAtSeconds(long completedAtSeconds) {
			this.completedAtSeconds = completedAtSeconds;
			return this;
		}

		public Builder group(String group) {
			this.group = group;
			return this;
		}

		public Builder headers(Map<String, String> headers) {
			this.headers = headers;
			return this;
		}

		public Builder unknownFields(byte[] unknownFields) {
			this.unknownFields = unknownFields;
			return this;
		}

		public TaskMessage build() {
			return new TaskMessage(this.type, this.payload, this.id, this.queue, this.maxRetry, this.retried,
					this.errorMessage, this.timeoutSeconds, this.deadlineSeconds, this.uniqueKey,
					this.lastFailedAtSeconds, this.retentionSeconds, this.completedAtSeconds, this.group, this.headers,
					this.unknownFields);
		}

	}

}
