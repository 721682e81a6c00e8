package io.asynq.broker.message;

import java.util.Map;

import io.asynq.Task;
import io.asynq.event.TaskFacts;
import org.jspecify.annotations.Nullable;

/**
 * A task as it is stored: the fields of asynq's message in its units (whole seconds, Unix
 * seconds; 0 and "" mean none). Immutable but for the payload's bytes.
 */
public final class TaskMessage {

	private static final byte[] NOTHING = {};

	private final String type;

	private final byte @Nullable [] payload;

	private final String id;

	private final String queue;

	private final int maxRetry;

	private final int retried;

	private final String errorMessage;

	private final long timeoutSeconds;

	private final long deadlineSeconds;

	private final String uniqueKey;

	private final long lastFailedAtSeconds;

	private final long retentionSeconds;

	private final long completedAtSeconds;

	private final String group;

	private final Map<String, String> headers;

	private final byte[] unknownFields;

	private TaskMessage(Builder builder) {
		this.type = builder.type;
		this.payload = builder.payload;
		this.id = builder.id;
		this.queue = builder.queue;
		this.maxRetry = builder.maxRetry;
		this.retried = builder.retried;
		this.errorMessage = builder.errorMessage;
		this.timeoutSeconds = builder.timeoutSeconds;
		this.deadlineSeconds = builder.deadlineSeconds;
		this.uniqueKey = builder.uniqueKey;
		this.lastFailedAtSeconds = builder.lastFailedAtSeconds;
		this.retentionSeconds = builder.retentionSeconds;
		this.completedAtSeconds = builder.completedAtSeconds;
		this.group = builder.group;
		this.headers = builder.headers;
		this.unknownFields = builder.unknownFields;
	}

	public static Builder builder(String type, String id, String queue) {
		return new Builder(type, id, queue);
	}

	public String type() {
		return this.type;
	}

	public byte @Nullable [] payload() {
		return this.payload;
	}

	public String id() {
		return this.id;
	}

	public String queue() {
		return this.queue;
	}

	public int maxRetry() {
		return this.maxRetry;
	}

	public int retried() {
		return this.retried;
	}

	public String errorMessage() {
		return this.errorMessage;
	}

	public long timeoutSeconds() {
		return this.timeoutSeconds;
	}

	public long deadlineSeconds() {
		return this.deadlineSeconds;
	}

	/**
	 * Returns the full name of the lock that this task holds.
	 * @return the key, "" for no lock
	 */
	public String uniqueKey() {
		return this.uniqueKey;
	}

	public long lastFailedAtSeconds() {
		return this.lastFailedAtSeconds;
	}

	public long retentionSeconds() {
		return this.retentionSeconds;
	}

	public long completedAtSeconds() {
		return this.completedAtSeconds;
	}

	public String group() {
		return this.group;
	}

	public Map<String, String> headers() {
		return this.headers;
	}

	/**
	 * Returns fields of the stored message that this version does not know. They are kept
	 * when the message is written again.
	 * @return encoded fields, often empty
	 */
	public byte[] unknownFields() {
		return this.unknownFields;
	}

	/** Returns the part that handlers, policies and listeners see. */
	public Task toTask() {
		Task task = Task.of(this.type, this.payload);
		return this.headers.isEmpty() ? task : task.withHeaders(this.headers);
	}

	/** Returns what events tell of the task. */
	public TaskFacts facts() {
		return new TaskFacts(this.id, this.queue, toTask(), this.retried, this.maxRetry);
	}

	/**
	 * Returns this message with the queue and id under which it was found.
	 * @param queue the queue it was found in
	 * @param id the id it was found under
	 */
	public TaskMessage at(String queue, String id) {
		return copyTo(new Builder(this.type, id, queue)).build();
	}

	public Builder toBuilder() {
		return copyTo(new Builder(this.type, this.id, this.queue));
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

	/**
	 * Collects the fields. Not safe for concurrent use.
	 */
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
			return new TaskMessage(this);
		}

	}

}
