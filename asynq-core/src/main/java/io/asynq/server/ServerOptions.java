package io.asynq.server;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import io.asynq.Names;
import io.asynq.TaskOptions;
import io.asynq.broker.GroupLimits;
import io.asynq.broker.QueueWeights;
import io.asynq.lifecycle.LongestTime;

/**
 * Settings of a server (asynq F01–F21). Times are 100 years at most. Immutable.
 */
public final class ServerOptions {

	private static final Duration SHORTEST_LEASE = Duration.ofSeconds(3);

	private static final int BEATS_PER_LEASE = 3;

	private final int concurrency;

	private final QueueWeights queues;

	private final Duration taskCheckInterval;

	private final Duration delayedTaskCheckInterval;

	private final Duration shutdownTimeout;

	private final Duration heartbeatInterval;

	private final Duration recoverInterval;

	private final Duration recoverGrace;

	private final int maxCrashes;

	private final Duration janitorInterval;

	private final int janitorBatchSize;

	private final Duration healthCheckInterval;

	private final Duration stuckHandlerTimeout;

	private final GroupLimits groupLimits;

	private final Map<String, GroupLimits> groupLimitsByQueue;

	private final boolean virtualThreads;

	private final boolean wakeUp;

	private final boolean handleTstp;

	private ServerOptions(Builder builder) {
		this.concurrency = builder.concurrency;
		this.queues = new QueueWeights(
				builder.queues.isEmpty() ? Map.of(TaskOptions.DEFAULT_QUEUE, 1) : Map.copyOf(builder.queues),
				builder.strictPriority);
		this.taskCheckInterval = builder.taskCheckInterval;
		this.delayedTaskCheckInterval = builder.delayedTaskCheckInterval;
		this.shutdownTimeout = builder.shutdownTimeout;
		this.heartbeatInterval = builder.heartbeatInterval;
		this.recoverInterval = builder.recoverInterval;
		this.recoverGrace = builder.recoverGrace;
		this.maxCrashes = builder.maxCrashes;
		this.janitorInterval = builder.janitorInterval;
		this.janitorBatchSize = builder.janitorBatchSize;
		this.healthCheckInterval = builder.healthCheckInterval;
		this.stuckHandlerTimeout = builder.stuckHandlerTimeout;
		this.groupLimits = builder.groupLimits;
		this.groupLimitsByQueue = Map.copyOf(builder.groupLimitsByQueue);
		this.virtualThreads = builder.virtualThreads;
		this.wakeUp = builder.wakeUp;
		this.handleTstp = builder.handleTstp;
	}

	/**
	 * Returns a builder with asynq's defaults.
	 * @return a new builder
	 */
	public static Builder builder() {
		return new Builder();
	}

	public int concurrency() {
		return this.concurrency;
	}

	public QueueWeights queues() {
		return this.queues;
	}

	public Duration taskCheckInterval() {
		return this.taskCheckInterval;
	}

	public Duration delayedTaskCheckInterval() {
		return this.delayedTaskCheckInterval;
	}

	public Duration shutdownTimeout() {
		return this.shutdownTimeout;
	}

	public Duration heartbeatInterval() {
		return this.heartbeatInterval;
	}

	/**
	 * Refuses a lease that this server could not keep: Redis has the ends of leases in
	 * whole seconds, and a heartbeat that comes late must not cost running tasks theirs.
	 * @param lease how long a lease lasts
	 * @throws IllegalArgumentException if it is not whole seconds, longer than 100 years,
	 * or shorter than three seconds or three heartbeats; with the shortest one that would
	 * do
	 */
	public void requireLease(Duration lease) {
		LongestTime.require("lease-duration", lease);
		if (lease.getNano() != 0 || lease.compareTo(SHORTEST_LEASE) < 0
				|| lease.dividedBy(BEATS_PER_LEASE).compareTo(this.heartbeatInterval) < 0) {
			throw new IllegalArgumentException("lease-duration is " + lease + " and heartbeat-interval is "
					+ this.heartbeatInterval + ", but a lease must be whole seconds, and at least 3 s and "
					+ BEATS_PER_LEASE + " heartbeats: else running tasks lose it and are worked on twice. With"
					+ " this heartbeat, set lease-duration to " + shortestLease().toSeconds() + "s or more");
		}
	}

	private Duration shortestLease() {
		Duration beats = this.heartbeatInterval.multipliedBy(BEATS_PER_LEASE);
		Duration seconds = Duration.ofSeconds(beats.getSeconds() + ((beats.getNano() > 0) ? 1 : 0));
		return (seconds.compareTo(SHORTEST_LEASE) < 0) ? SHORTEST_LEASE : seconds;
	}

	public Duration recoverInterval() {
		return this.recoverInterval;
	}

	public Duration recoverGrace() {
		return this.recoverGrace;
	}

	public int maxCrashes() {
		return this.maxCrashes;
	}

	public Duration janitorInterval() {
		return this.janitorInterval;
	}

	public int janitorBatchSize() {
		return this.janitorBatchSize;
	}

	public Duration healthCheckInterval() {
		return this.healthCheckInterval;
	}

	public Duration stuckHandlerTimeout() {
		return this.stuckHandlerTimeout;
	}

	/**
	 * Returns when the groups of a queue are aggregated.
	 * @param queue the queue
	 * @return its own limits, or those of all queues
	 */
	public GroupLimits groupLimits(String queue) {
		return this.groupLimitsByQueue.getOrDefault(queue, this.groupLimits);
	}

	/**
	 * Returns the queues whose groups have limits of their own.
	 * @return names of queues
	 */
	public Set<String> queuesWithGroupLimits() {
		return this.groupLimitsByQueue.keySet();
	}

	public boolean virtualThreads() {
		return this.virtualThreads;
	}

	public boolean wakeUp() {
		return this.wakeUp;
	}

	public boolean handleTstp() {
		return this.handleTstp;
	}

	/**
	 * Collects settings; each method refuses what could not work. Not safe for concurrent
	 * use.
	 */
	public static final class Builder {

		private int concurrency = Runtime.getRuntime().availableProcessors();

		private final Map<String, Integer> queues = new LinkedHashMap<>();

		private boolean strictPriority;

		private Duration taskCheckInterval = Duration.ofSeconds(1);

		private Duration delayedTaskCheckInterval = Duration.ofSeconds(5);

		private Duration shutdownTimeout = Duration.ofSeconds(8);

		private Duration heartbeatInterval = Duration.ofSeconds(5);

		private Duration recoverInterval = Duration.ofSeconds(5);

		private Duration recoverGrace = Duration.ofSeconds(30);

		private int maxCrashes = 3;

		private Duration janitorInterval = Duration.ofSeconds(8);

		private int janitorBatchSize = 100;

		private Duration healthCheckInterval = Duration.ofSeconds(15);

		private Duration stuckHandlerTimeout = Duration.ofSeconds(10);

		private GroupLimits groupLimits = GroupLimits.defaults();

		private final Map<String, GroupLimits> groupLimitsByQueue = new LinkedHashMap<>();

		private boolean virtualThreads;

		private boolean wakeUp = true;

		private boolean handleTstp = true;

		private Builder() {
		}

		/**
		 * How many tasks are worked on at once (F01).
		 * @param concurrency at least 1, default the number of CPUs
		 * @return this builder
		 */
		public Builder concurrency(int concurrency) {
			if (concurrency < 1) {
				throw new IllegalArgumentException("concurrency must be at least 1, but is " + concurrency);
			}
			this.concurrency = concurrency;
			return this;
		}

		/**
		 * Adds a queue to work on (F08).
		 * @param name its name
		 * @param weight at least 1: its share of the work, or its rank when strict
		 * @return this builder
		 */
		public Builder queue(String name, int weight) {
			if (Names.isBlank(name)) {
				throw new IllegalArgumentException("queue names must not be blank");
			}
			if (weight < 1) {
				throw new IllegalArgumentException(
						"weight of queue '" + name + "' must be at least 1, but is " + weight);
			}
			this.queues.put(name, weight);
			return this;
		}

		/**
		 * Whether a queue is touched only when all heavier ones are empty (F09).
		 * @param strictPriority default {@code false}
		 * @return this builder
		 */
		public Builder strictPriority(boolean strictPriority) {
			this.strictPriority = strictPriority;
			return this;
		}

		/**
		 * How long an idle server waits before it looks for pending tasks again (F03).
		 * While arrivals are told, it looks only every five seconds or at this interval,
		 * whichever is longer.
		 * @param interval default 1 s
		 * @return this builder
		 */
		public Builder taskCheckInterval(Duration interval) {
			this.taskCheckInterval = positive("task-check-interval", interval);
			return this;
		}

		/**
		 * How often at least due tasks are looked for (F16); they are forwarded when due.
		 * @param interval default 5 s
		 * @return this builder
		 */
		public Builder delayedTaskCheckInterval(Duration interval) {
			this.delayedTaskCheckInterval = positive("delayed-task-check-interval", interval);
			return this;
		}

		/**
		 * How long running tasks may go on at a shutdown (F13).
		 * @param timeout default 8 s
		 * @return this builder
		 */
		public Builder shutdownTimeout(Duration timeout) {
			this.shutdownTimeout = notNegative("shutdown-timeout", timeout);
			return this;
		}

		/**
		 * How often leases are extended and the server's entry is renewed (G09). At most
		 * a third of the lease duration.
		 * @param interval default 5 s
		 * @return this builder
		 */
		public Builder heartbeatInterval(Duration interval) {
			this.heartbeatInterval = positive("heartbeat-interval", interval);
			return this;
		}

		/**
		 * How often lost leases are looked for (K04).
		 * @param interval default 5 s (Go: 60 s)
		 * @return this builder
		 */
		public Builder recoverInterval(Duration interval) {
			this.recoverInterval = positive("recover-interval", interval);
			return this;
		}

		/**
		 * How long after its end a lease counts as lost although a live server lists the
		 * task as its work (K04, S04). Where none does, it counts as lost at once.
		 * @param grace default 30 s
		 * @return this builder
		 */
		public Builder recoverGrace(Duration grace) {
			this.recoverGrace = notNegative("recover-grace", grace);
			return this;
		}

		/**
		 * At how many crashes a task is archived: its handler had begun, its lease was
		 * lost and its server was gone. The first death of a server is not counted: it
		 * only makes a task a suspect, whose beginnings are written down from then on.
		 * @param crashes default 3, 0 for never
		 * @return this builder
		 */
		public Builder maxCrashes(int crashes) {
			if (crashes < 0) {
				throw new IllegalArgumentException("max-crashes must not be negative, but is " + crashes);
			}
			this.maxCrashes = crashes;
			return this;
		}

		/**
		 * How often completed tasks whose retention is over are deleted (F21).
		 * @param interval default 8 s
		 * @return this builder
		 */
		public Builder janitorInterval(Duration interval) {
			this.janitorInterval = positive("janitor-interval", interval);
			return this;
		}

		/**
		 * How many completed tasks one script deletes (F21).
		 * @param size at least 1, default 100
		 * @return this builder
		 */
		public Builder janitorBatchSize(int size) {
			if (size < 1) {
				throw new IllegalArgumentException("janitor-batch-size must be at least 1, but is " + size);
			}
			this.janitorBatchSize = size;
			return this;
		}

		/**
		 * How often Redis is pinged for the health check listener (F15).
		 * @param interval default 15 s
		 * @return this builder
		 */
		public Builder healthCheckInterval(Duration interval) {
			this.healthCheckInterval = positive("health-check-interval", interval);
			return this;
		}

		/**
		 * How long after the end of its attempt a handler that still runs is reported as
		 * stuck, and the outcome written that the error handler or a policy keeps back.
		 * @param timeout default 10 s
		 * @return this builder
		 */
		public Builder stuckHandlerTimeout(Duration timeout) {
			this.stuckHandlerTimeout = positive("stuck-handler-timeout", timeout);
			return this;
		}

		/**
		 * When groups are aggregated, in queues that have no limits of their own
		 * (F17–F19).
		 * @param limits default one minute after the newest task
		 * @return this builder
		 */
		public Builder groupLimits(GroupLimits limits) {
			this.groupLimits = limits;
			return this;
		}

		/**
		 * When the groups of one queue are aggregated.
		 * @param queue the queue
		 * @param limits its limits, in place of those of all queues
		 * @return this builder
		 */
		public Builder groupLimits(String queue, GroupLimits limits) {
			this.groupLimitsByQueue.put(queue, limits);
			return this;
		}

		/**
		 * Whether handlers run in virtual threads; needs Java 21.
		 * @param virtualThreads default {@code false}
		 * @return this builder
		 */
		public Builder virtualThreads(boolean virtualThreads) {
			this.virtualThreads = virtualThreads;
			return this;
		}

		/**
		 * Whether Redis is asked to tell of arrivals, where the connection allows it.
		 * Takes two connections outside of the pool.
		 * @param wakeUp default {@code true}
		 * @return this builder
		 */
		public Builder wakeUp(boolean wakeUp) {
			this.wakeUp = wakeUp;
			return this;
		}

		/**
		 * Whether the signal SIGTSTP quiets the server (G07), where the JVM allows it.
		 * @param handleTstp default {@code true}
		 * @return this builder
		 */
		public Builder handleTstp(boolean handleTstp) {
			this.handleTstp = handleTstp;
			return this;
		}

		public ServerOptions build() {
			return new ServerOptions(this);
		}

		private static Duration positive(String property, Duration value) {
			if (value.isZero()) {
				throw new IllegalArgumentException(property + " must be positive, but is " + value);
			}
			return notNegative(property, value);
		}

		private static Duration notNegative(String property, Duration value) {
			if (value.isNegative()) {
				throw new IllegalArgumentException(property + " must not be negative, but is " + value);
			}
			return LongestTime.require(property, value);
		}

	}

}
