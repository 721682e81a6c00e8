package io.asynq.client;

import java.time.Clock;
import java.util.HashMap;
import java.util.Map;

import io.asynq.InvalidTaskException;
import io.asynq.TaskOptions;
import io.asynq.event.TaskEvents;
import io.asynq.payload.DefaultPayloadConverter;
import io.asynq.payload.PayloadConverter;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a client. Immutable.
 */
public final class ClientOptions {

	/** Largest payload when no other limit is given: 1 MiB. */
	public static final long DEFAULT_MAX_PAYLOAD_SIZE = 1024 * 1024;

	private final Clock clock;

	private final PayloadConverter payloadConverter;

	private final long maxPayloadSize;

	private final Map<String, TaskOptions> defaults;

	private final TaskEvents events;

	private ClientOptions(Builder builder, Clock clock, PayloadConverter payloadConverter) {
		this.clock = clock;
		this.payloadConverter = payloadConverter;
		this.maxPayloadSize = builder.maxPayloadSize;
		this.defaults = Map.copyOf(builder.defaults);
		this.events = builder.events;
	}

	/**
	 * Returns a builder; its clock must be set.
	 * @return a new builder
	 */
	public static Builder builder() {
		return new Builder();
	}

	public Clock clock() {
		return this.clock;
	}

	public PayloadConverter payloadConverter() {
		return this.payloadConverter;
	}

	public long maxPayloadSize() {
		return this.maxPayloadSize;
	}

	/**
	 * Returns the default options of all types.
	 * @return options by type
	 */
	public Map<String, TaskOptions> defaults() {
		return this.defaults;
	}

	/**
	 * Returns the default options of a type.
	 * @param type the task's type, matched exactly
	 * @return the options, empty if there are none for the type
	 */
	public TaskOptions defaults(String type) {
		return this.defaults.getOrDefault(type, TaskOptions.none());
	}

	/**
	 * Returns what tells listeners of stored tasks.
	 * @return {@link TaskEvents#none()} by default
	 */
	public TaskEvents events() {
		return this.events;
	}

	/**
	 * Builds the settings. Not safe for concurrent use.
	 */
	public static final class Builder {

		private @Nullable Clock clock;

		private @Nullable PayloadConverter payloadConverter;

		private long maxPayloadSize = DEFAULT_MAX_PAYLOAD_SIZE;

		private final Map<String, TaskOptions> defaults = new HashMap<>();

		private TaskEvents events = TaskEvents.none();

		private Builder() {
		}

		/**
		 * The clock. Required.
		 * @param clock the clock
		 * @return this builder
		 */
		public Builder clock(Clock clock) {
			this.clock = clock;
			return this;
		}

		/**
		 * Converts objects to payloads.
		 * @param converter the converter, default a {@link DefaultPayloadConverter}
		 * @return this builder
		 */
		public Builder payloadConverter(PayloadConverter converter) {
			this.payloadConverter = converter;
			return this;
		}

		/**
		 * The largest payload, headers included; larger ones are refused.
		 * @param bytes at least 1, default 1 MiB
		 * @return this builder
		 */
		public Builder maxPayloadSize(long bytes) {
			if (bytes < 1) {
				throw new IllegalArgumentException(
						"asynq.client.max-payload-size must be at least 1 byte, but is " + bytes);
			}
			this.maxPayloadSize = bytes;
			return this;
		}

		/**
		 * Default options of a type, which the task's own options and those of the call
		 * override. They override {@link TaskDefaults}.
		 * @param type the task's type, matched exactly
		 * @param options the options
		 * @return this builder
		 */
		public Builder defaults(String type, TaskOptions options) {
			if (options.taskId() != null) {
				throw new InvalidTaskException("taskId", "Option 'taskId' cannot be a default of type '" + type
						+ "': its second task would conflict with its first");
			}
			this.defaults.put(InvalidTaskException.requireText("type", type), options);
			return this;
		}

		/**
		 * Tells listeners of each task that the client has stored.
		 * @param events hands events over, default {@link TaskEvents#none()}
		 * @return this builder
		 */
		public Builder events(TaskEvents events) {
			this.events = events;
			return this;
		}

		/**
		 * Builds the settings.
		 * @return immutable settings
		 * @throws IllegalStateException if there is no clock
		 */
		public ClientOptions build() {
			if (this.clock == null) {
				throw new IllegalStateException("clock must be set, in production to Clock.systemUTC()");
			}
			PayloadConverter converter = (this.payloadConverter != null) ? this.payloadConverter
					: new DefaultPayloadConverter();
			return new ClientOptions(this, this.clock, converter);
		}

	}

}
