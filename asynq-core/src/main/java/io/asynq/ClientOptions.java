package io.asynq;

import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.asynq.payload.DefaultPayloadConverter;
import io.asynq.payload.PayloadConverter;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a client, each as the method of its {@link #builder()} says, which also
 * checks them. Immutable.
 *
 * @param interceptors in the order of the calls
 * @param defaults by type
 */
public record ClientOptions(Clock clock, PayloadConverter payloadConverter, long maxPayloadSize, boolean shareCalls,
		boolean afterCommit, Map<String, TaskOptions> defaults, List<EnqueueInterceptor> interceptors,
		Function<String, TaskOptions> handlerDefaults) {

	/** Largest payload when no other limit is given: 1 MiB. */
	public static final long DEFAULT_MAX_PAYLOAD_SIZE = 1024 * 1024;

	private static final Function<String, TaskOptions> NO_HANDLERS = (type) -> TaskOptions.none();

	/**
	 * Returns a builder; its clock must be set.
	 */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Returns the default options of exactly this type, empty if there are none.
	 */
	public TaskOptions defaults(String type) {
		return this.defaults.getOrDefault(type, TaskOptions.none());
	}

	/**
	 * Returns these settings with options that handlers have for their tasks, unless they
	 * have some already.
	 */
	public ClientOptions withHandlerDefaults(Function<String, TaskOptions> defaults) {
		return (this.handlerDefaults != NO_HANDLERS) ? this : new ClientOptions(this.clock, this.payloadConverter,
				this.maxPayloadSize, this.shareCalls, this.afterCommit, this.defaults, this.interceptors, defaults);
	}

	/**
	 * Builds the settings. Not safe for concurrent use.
	 */
	public static final class Builder {

		private @Nullable Clock clock;

		private @Nullable PayloadConverter payloadConverter;

		private long maxPayloadSize = DEFAULT_MAX_PAYLOAD_SIZE;

		private boolean shareCalls = true;

		private boolean afterCommit;

		private final Map<String, TaskOptions> defaults = new HashMap<>();

		private final List<EnqueueInterceptor> interceptors = new ArrayList<>();

		private Function<String, TaskOptions> handlerDefaults = NO_HANDLERS;

		private Builder() {
		}

		/**
		 * The clock. Required.
		 */
		public Builder clock(Clock clock) {
			this.clock = clock;
			return this;
		}

		/**
		 * Converts objects to payloads, by default a {@link DefaultPayloadConverter}.
		 */
		public Builder payloadConverter(PayloadConverter converter) {
			this.payloadConverter = converter;
			return this;
		}

		/**
		 * The largest payload, headers included; larger ones are refused.
		 * @param bytes at least 1, default 1 MiB
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
		 * Whether tasks that several threads enqueue at the same time, one by one, go to
		 * Redis in one call.
		 * @param shareCalls default {@code true}; {@code false} sends each task by a call
		 * of its own, in the thread that enqueues it
		 */
		public Builder shareCalls(boolean shareCalls) {
			this.shareCalls = shareCalls;
			return this;
		}

		/**
		 * Whether every task that is enqueued in a transaction is sent after its commit,
		 * as by {@link AsynqClient#afterCommit()}; default {@code false}.
		 */
		public Builder afterCommit(boolean afterCommit) {
			this.afterCommit = afterCommit;
			return this;
		}

		/**
		 * Default options of exactly this type, which the task's own options and those of
		 * the call override. They override {@link TaskDefaults}.
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
		 * Has an interceptor see each task before it is stored, after those that were
		 * added before.
		 */
		public Builder interceptor(EnqueueInterceptor interceptor) {
			this.interceptors.add(interceptor);
			return this;
		}

		/**
		 * Options by type that everything else overrides, such as
		 * {@link io.asynq.handler.TaskMux#defaults}; default none.
		 * @param defaults asked for each task that is enqueued, by the thread that
		 * enqueues it; must be safe for concurrent use
		 */
		public Builder handlerDefaults(Function<String, TaskOptions> defaults) {
			this.handlerDefaults = defaults;
			return this;
		}

		/**
		 * Builds the settings.
		 * @throws IllegalStateException if there is no clock
		 */
		public ClientOptions build() {
			if (this.clock == null) {
				throw new IllegalStateException("clock must be set, in production to Clock.systemUTC()");
			}
			return new ClientOptions(this.clock,
					(this.payloadConverter != null) ? this.payloadConverter : new DefaultPayloadConverter(),
					this.maxPayloadSize, this.shareCalls, this.afterCommit, Map.copyOf(this.defaults),
					List.copyOf(this.interceptors), this.handlerDefaults);
		}

	}

}
