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
 * Settings of a client. Immutable.
 */
public final class ClientOptions {

	/** Largest payload when no other limit is given: 1 MiB. */
	public static final long DEFAULT_MAX_PAYLOAD_SIZE = 1024 * 1024;

	private static final Function<String, TaskOptions> NO_HANDLERS = (type) -> TaskOptions.none();

	private final Clock clock;

	private final PayloadConverter payloadConverter;

	private final long maxPayloadSize;

	private final boolean shareCalls;

	private final boolean afterCommit;

	private final Map<String, TaskOptions> defaults;

	private final List<EnqueueInterceptor> interceptors;

	private final Function<String, TaskOptions> handlerDefaults;

	private ClientOptions(Builder builder, Clock clock, PayloadConverter payloadConverter) {
		this.clock = clock;
		this.payloadConverter = payloadConverter;
		this.maxPayloadSize = builder.maxPayloadSize;
		this.shareCalls = builder.shareCalls;
		this.afterCommit = builder.afterCommit;
		this.defaults = Map.copyOf(builder.defaults);
		this.interceptors = List.copyOf(builder.interceptors);
		this.handlerDefaults = builder.handlerDefaults;
	}

	private ClientOptions(ClientOptions others, Function<String, TaskOptions> handlerDefaults) {
		this.clock = others.clock;
		this.payloadConverter = others.payloadConverter;
		this.maxPayloadSize = others.maxPayloadSize;
		this.shareCalls = others.shareCalls;
		this.afterCommit = others.afterCommit;
		this.defaults = others.defaults;
		this.interceptors = others.interceptors;
		this.handlerDefaults = handlerDefaults;
	}

	/**
	 * Returns a builder; its clock must be set.
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
	 * Returns whether callers that come at the same time share their calls to Redis.
	 */
	public boolean shareCalls() {
		return this.shareCalls;
	}

	/**
	 * Returns whether tasks wait for the transaction of the calling thread.
	 */
	public boolean afterCommit() {
		return this.afterCommit;
	}

	/**
	 * Returns the default options of all types.
	 */
	public Map<String, TaskOptions> defaults() {
		return this.defaults;
	}

	/**
	 * Returns the default options of exactly this type, empty if there are none.
	 */
	public TaskOptions defaults(String type) {
		return this.defaults.getOrDefault(type, TaskOptions.none());
	}

	/**
	 * Returns what sees each task before it is stored, in the order of the calls.
	 */
	public List<EnqueueInterceptor> interceptors() {
		return this.interceptors;
	}

	/**
	 * Returns the options that the handler of a type has for its tasks.
	 */
	public Function<String, TaskOptions> handlerDefaults() {
		return this.handlerDefaults;
	}

	/**
	 * Returns these settings with options that handlers have for their tasks, unless they
	 * have some already.
	 */
	public ClientOptions withHandlerDefaults(Function<String, TaskOptions> defaults) {
		return (this.handlerDefaults == NO_HANDLERS) ? new ClientOptions(this, defaults) : this;
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
			PayloadConverter converter = (this.payloadConverter != null) ? this.payloadConverter
					: new DefaultPayloadConverter();
			return new ClientOptions(this, this.clock, converter);
		}

	}

}
