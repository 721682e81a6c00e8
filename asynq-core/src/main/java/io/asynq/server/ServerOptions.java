package io.asynq.server;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.asynq.CancelMode;
import io.asynq.TaskOptions;
import io.asynq.group.GroupLimits;
import io.asynq.internal.lifecycle.LongestTime;
import io.asynq.internal.text.GoText;
import io.asynq.limit.TaskLimit;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a server, each as the method of its {@link #builder()} says, which also
 * checks them. Durations are at most 100 years. Immutable.
 *
 * @param queueSpecs the queues with their settings
 * @param queues their weights
 * @param groupLimits for queues without their own
 * @param limits the limits over all servers by name
 */
public record ServerOptions(int concurrency, Map<String, QueueSpec> queueSpecs, QueueWeights queues,
		Duration taskCheckInterval, Duration delayedTaskCheckInterval, Duration shutdownTimeout,
		Duration heartbeatInterval, Duration recoverInterval, Duration recoverGrace, int maxCrashes,
		Duration janitorInterval, int janitorBatchSize, Duration healthCheckInterval, Duration stuckHandlerTimeout,
		GroupLimits groupLimits, Map<String, TaskLimit> limits, FailureLogging logFailures, UnknownTypes unknownTypes,
		Duration unknownTypesMaxAge, CancelMode cancelMode, boolean virtualThreads, boolean wakeUp, boolean handleTstp,
		boolean fetchAhead) {

	private static final Duration SHORTEST_LEASE = Duration.ofSeconds(3);

	private static final int BEATS_PER_LEASE = 3;

	/** Returns a builder with asynq's defaults. */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Checks that this server could keep a lease of some length alive: Redis stores the
	 * ends of leases in whole seconds, and a late heartbeat must not cost running tasks
	 * their leases.
	 * @throws IllegalArgumentException if it is not whole seconds, longer than 100 years,
	 * or shorter than three seconds or three heartbeats
	 */
	public void requireLease(Duration lease) {
		LongestTime.require("lease-duration", lease);
		Duration beats = this.heartbeatInterval.multipliedBy(BEATS_PER_LEASE);
		if (lease.getNano() != 0 || lease.compareTo(SHORTEST_LEASE) < 0 || lease.compareTo(beats) < 0) {
			long shortest = Math.max(SHORTEST_LEASE.toSeconds(), beats.plusNanos(999_999_999).toSeconds());
			throw new IllegalArgumentException("lease-duration is " + lease + " and heartbeat-interval is "
					+ this.heartbeatInterval + ", but a lease must be whole seconds, and at least 3 s and "
					+ BEATS_PER_LEASE + " heartbeats: else running tasks lose it and run twice. With"
					+ " this heartbeat, set lease-duration to " + shortest + "s or more");
		}
	}

	/** Returns the queue's own limits of groups, or those of all queues. */
	public GroupLimits groupLimits(String queue) {
		QueueSpec spec = this.queueSpecs.get(queue);
		GroupLimits own = (spec != null) ? spec.groupLimits() : null;
		return (own != null) ? own : this.groupLimits;
	}

	/** Returns the names of the limits that apply to all tasks of a queue. */
	public List<String> limitsOf(String queue) {
		QueueSpec spec = this.queueSpecs.get(queue);
		return (spec != null) ? spec.limits() : List.of();
	}

	/**
	 * Collects settings; each method rejects invalid values. Not safe for concurrent use.
	 */
	public static final class Builder {

		private int concurrency = Runtime.getRuntime().availableProcessors();

		private final Map<String, QueueSpec> queues = new LinkedHashMap<>();

		private final Map<String, TaskLimit> limits = new LinkedHashMap<>();

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

		private FailureLogging logFailures = FailureLogging.FIRST_AND_LAST;

		private UnknownTypes unknownTypes = UnknownTypes.WAIT;

		private Duration unknownTypesMaxAge = Duration.ofDays(7);

		private CancelMode cancelMode = CancelMode.RETRY;

		private boolean virtualThreads;

		private boolean wakeUp = true;

		private boolean handleTstp = true;

		private @Nullable Boolean fetchAhead;

		private Builder() {
		}

		/**
		 * Sets how many tasks run at once.
		 * @param concurrency at least 1, default the number of CPUs
		 */
		public Builder concurrency(int concurrency) {
			this.concurrency = atLeastOne("concurrency", concurrency);
			return this;
		}

		/**
		 * Adds a queue to process.
		 * @param weight at least 1: its share, or its rank with strict priority
		 */
		public Builder queue(String name, int weight) {
			return queue(name, QueueSpec.ofWeight(weight));
		}

		/** Adds a queue to process, with its settings. */
		public Builder queue(String name, QueueSpec spec) {
			if (GoText.isBlank(name)) {
				throw new IllegalArgumentException("queue names must not be blank");
			}
			this.queues.put(name, spec);
			return this;
		}

		/**
		 * Sets whether a queue is processed only when all heavier ones are empty (default
		 * {@code false}).
		 */
		public Builder strictPriority(boolean strictPriority) {
			this.strictPriority = strictPriority;
			return this;
		}

		/**
		 * Sets how often queues are polled whose arrivals are not announced (default 1
		 * s); the others are polled every five seconds, or at this interval if that is
		 * longer.
		 */
		public Builder taskCheckInterval(Duration interval) {
			this.taskCheckInterval = LongestTime.requirePositive("task-check-interval", interval);
			return this;
		}

		/**
		 * Sets how often, at least, the server looks for due tasks (default 5 s); they
		 * are forwarded when due.
		 */
		public Builder delayedTaskCheckInterval(Duration interval) {
			this.delayedTaskCheckInterval = LongestTime.requirePositive("delayed-task-check-interval", interval);
			return this;
		}

		/** Sets how long a shutdown waits for running tasks (default 8 s). */
		public Builder shutdownTimeout(Duration timeout) {
			this.shutdownTimeout = LongestTime.requireNotNegative("shutdown-timeout", timeout);
			return this;
		}

		/**
		 * Sets how often leases and the server's entry are renewed (default 5 s): at most
		 * a third of the lease duration.
		 */
		public Builder heartbeatInterval(Duration interval) {
			this.heartbeatInterval = LongestTime.requirePositive("heartbeat-interval", interval);
			return this;
		}

		/** Sets how often the server looks for lost leases (default 5 s, Go: 60 s). */
		public Builder recoverInterval(Duration interval) {
			this.recoverInterval = LongestTime.requirePositive("recover-interval", interval);
			return this;
		}

		/**
		 * Sets how long after its end a lease counts as lost if a live server still lists
		 * the task (default 30 s); else it counts as lost at once.
		 */
		public Builder recoverGrace(Duration grace) {
			this.recoverGrace = LongestTime.requireNotNegative("recover-grace", grace);
			return this;
		}

		/**
		 * Sets how many crashes archive a task. A crash counts if the task's handler had
		 * begun, its lease was lost and its server is gone. The first one only makes the
		 * task a suspect, whose later attempts are recorded when they begin.
		 * @param crashes default 3, 0 for never
		 */
		public Builder maxCrashes(int crashes) {
			if (crashes < 0) {
				throw new IllegalArgumentException("max-crashes must not be negative, but is " + crashes);
			}
			this.maxCrashes = crashes;
			return this;
		}

		/**
		 * Sets how often completed tasks are deleted after their retention (default 8 s).
		 */
		public Builder janitorInterval(Duration interval) {
			this.janitorInterval = LongestTime.requirePositive("janitor-interval", interval);
			return this;
		}

		/**
		 * Sets how many completed tasks one script deletes.
		 * @param size at least 1, default 100
		 */
		public Builder janitorBatchSize(int size) {
			this.janitorBatchSize = atLeastOne("janitor-batch-size", size);
			return this;
		}

		/**
		 * Sets how often Redis is pinged for the health check listener (default 15 s).
		 */
		public Builder healthCheckInterval(Duration interval) {
			this.healthCheckInterval = LongestTime.requirePositive("health-check-interval", interval);
			return this;
		}

		/**
		 * Sets after which time a handler that continues after its attempt is reported as
		 * stuck, and an outcome that an error handler or policy delays is written without
		 * them (default 10 s).
		 */
		public Builder stuckHandlerTimeout(Duration timeout) {
			this.stuckHandlerTimeout = LongestTime.requirePositive("stuck-handler-timeout", timeout);
			return this;
		}

		/**
		 * Sets when groups are aggregated in queues without limits of their own (default
		 * one minute after the newest task).
		 */
		public Builder groupLimits(GroupLimits limits) {
			this.groupLimits = limits;
			return this;
		}

		/**
		 * Adds a limit over all servers, to which handlers and queues refer by its name.
		 * @param name letters, digits, dots, dashes and underscores
		 */
		public Builder limit(String name, TaskLimit limit) {
			if (!name.matches("[A-Za-z0-9._-]{1,100}")) {
				throw new IllegalArgumentException("the name of a limit must be up to 100 letters, digits, dots, dashes"
						+ " and underscores, but is '" + name + "'");
			}
			this.limits.put(name, Objects.requireNonNull(limit, "limit must not be null"));
			return this;
		}

		/**
		 * Sets which failed attempts are logged as a WARN with their stack trace (default
		 * {@link FailureLogging#FIRST_AND_LAST}).
		 */
		public Builder logFailures(FailureLogging which) {
			this.logFailures = Objects.requireNonNull(which, "log-failures must not be null");
			return this;
		}

		/**
		 * Sets what becomes of a task for whose type there is no handler (default
		 * {@link UnknownTypes#WAIT}).
		 */
		public Builder unknownTypes(UnknownTypes unknownTypes) {
			this.unknownTypes = Objects.requireNonNull(unknownTypes, "unknown-types must not be null");
			return this;
		}

		/**
		 * Sets after which time a task that waits for a handler is archived (default 7
		 * days).
		 */
		public Builder unknownTypesMaxAge(Duration age) {
			this.unknownTypesMaxAge = LongestTime.requirePositive("unknown-types-max-age", age);
			return this;
		}

		/**
		 * Sets what becomes of a task of this server that is cancelled by a plain signal,
		 * as Go sends it (default {@link CancelMode#RETRY}).
		 */
		public Builder cancelMode(CancelMode mode) {
			this.cancelMode = Objects.requireNonNull(mode, "cancel must not be null");
			return this;
		}

		/**
		 * Sets whether handlers run in virtual threads, which require Java 21 (default
		 * {@code false}).
		 */
		public Builder virtualThreads(boolean virtualThreads) {
			this.virtualThreads = virtualThreads;
			return this;
		}

		/**
		 * Sets whether Redis announces arrivals, where the connection supports it
		 * (default {@code true}). Uses connections outside of the pool: two over Jedis,
		 * one over Lettuce; on a cluster as many for each master that serves queues of
		 * the server.
		 */
		public Builder wakeUp(boolean wakeUp) {
			this.wakeUp = wakeUp;
			return this;
		}

		/**
		 * Sets whether SIGTSTP quiets the server, where the JVM supports it (default
		 * {@code true}).
		 */
		public Builder handleTstp(boolean handleTstp) {
			this.handleTstp = handleTstp;
			return this;
		}

		/**
		 * Sets whether a server of short handlers takes tasks from long queues before a
		 * worker is idle (default {@code true} without strict priority).
		 */
		public Builder fetchAhead(boolean fetchAhead) {
			this.fetchAhead = fetchAhead;
			return this;
		}

		/**
		 * Creates the options.
		 * @throws IllegalArgumentException if a queue names a limit that there is not, or
		 * if tasks are to be fetched ahead with strict priority
		 */
		public ServerOptions build() {
			this.queues.forEach((queue, spec) -> spec.limits().forEach((name) -> requireLimit(queue, name)));
			if (this.strictPriority && Boolean.TRUE.equals(this.fetchAhead)) {
				throw new IllegalArgumentException("fetch-ahead and strict-priority are both true, but a task that was"
						+ " fetched ahead could run before one of a heavier queue: remove one of the two");
			}
			Map<String, QueueSpec> specs = this.queues.isEmpty()
					? Map.of(TaskOptions.DEFAULT_QUEUE, QueueSpec.ofWeight(1)) : new LinkedHashMap<>(this.queues);
			Map<String, Integer> weights = new LinkedHashMap<>();
			specs.forEach((name, spec) -> weights.put(name, spec.weight()));
			return new ServerOptions(this.concurrency, Collections.unmodifiableMap(specs),
					new QueueWeights(Collections.unmodifiableMap(weights), this.strictPriority), this.taskCheckInterval,
					this.delayedTaskCheckInterval, this.shutdownTimeout, this.heartbeatInterval, this.recoverInterval,
					this.recoverGrace, this.maxCrashes, this.janitorInterval, this.janitorBatchSize,
					this.healthCheckInterval, this.stuckHandlerTimeout, this.groupLimits,
					Collections.unmodifiableMap(new LinkedHashMap<>(this.limits)), this.logFailures, this.unknownTypes,
					this.unknownTypesMaxAge, this.cancelMode, this.virtualThreads, this.wakeUp, this.handleTstp,
					!this.strictPriority && !Boolean.FALSE.equals(this.fetchAhead));
		}

		private void requireLimit(String queue, String limit) {
			if (!this.limits.containsKey(limit)) {
				throw new IllegalArgumentException("queue '" + queue + "' has the limit '" + limit
						+ "', which is not configured: set 'asynq.limits." + limit + ".concurrent' or 'asynq.limits."
						+ limit + ".rate'");
			}
		}

		private static int atLeastOne(String name, int value) {
			if (value < 1) {
				throw new IllegalArgumentException(name + " must be at least 1, but is " + value);
			}
			return value;
		}

	}

}
