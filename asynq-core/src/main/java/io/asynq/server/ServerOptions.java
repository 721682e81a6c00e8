package io.asynq.server;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.asynq.CancelMode;
import io.asynq.group.GroupLimits;
import io.asynq.internal.lifecycle.LongestTime;
import io.asynq.limit.TaskLimit;

/**
 * Settings of a server. Durations are at most 100 years. Immutable.
 */
public final class ServerOptions {

	private final ServerSettings values;

	private final QueueWeights queues;

	private ServerOptions(ServerSettings values) {
		this.values = values;
		this.queues = values.weights();
	}

	/** Returns a builder with asynq's defaults. */
	public static Builder builder() {
		return new Builder();
	}

	public int concurrency() {
		return this.values.concurrency;
	}

	public QueueWeights queues() {
		return this.queues;
	}

	public Duration taskCheckInterval() {
		return this.values.taskCheckInterval;
	}

	public Duration delayedTaskCheckInterval() {
		return this.values.delayedTaskCheckInterval;
	}

	public Duration shutdownTimeout() {
		return this.values.shutdownTimeout;
	}

	public Duration heartbeatInterval() {
		return this.values.heartbeatInterval;
	}

	/**
	 * Checks that this server could keep a lease of some length alive.
	 * @throws IllegalArgumentException if it is not whole seconds, longer than 100 years,
	 * or shorter than three seconds or three heartbeats
	 */
	public void requireLease(Duration lease) {
		new LeaseBounds(heartbeatInterval()).require(lease);
	}

	public Duration recoverInterval() {
		return this.values.recoverInterval;
	}

	public Duration recoverGrace() {
		return this.values.recoverGrace;
	}

	public int maxCrashes() {
		return this.values.maxCrashes;
	}

	public Duration janitorInterval() {
		return this.values.janitorInterval;
	}

	public int janitorBatchSize() {
		return this.values.janitorBatchSize;
	}

	public Duration healthCheckInterval() {
		return this.values.healthCheckInterval;
	}

	public Duration stuckHandlerTimeout() {
		return this.values.stuckHandlerTimeout;
	}

	/** Returns the queue's own limits of groups, or those of all queues. */
	public GroupLimits groupLimits(String queue) {
		return this.values.groupLimits(queue);
	}

	/** Returns the limits over all servers by name. */
	public Map<String, TaskLimit> limits() {
		return this.values.limits;
	}

	/** Returns the names of the limits that apply to all tasks of a queue. */
	public List<String> limitsOf(String queue) {
		return this.values.limitsOf(queue);
	}

	public FailureLogging logFailures() {
		return this.values.logFailures;
	}

	public UnknownTypes unknownTypes() {
		return this.values.unknownTypes;
	}

	public Duration unknownTypesMaxAge() {
		return this.values.unknownTypesMaxAge;
	}

	public CancelMode cancelMode() {
		return this.values.cancelMode;
	}

	public boolean virtualThreads() {
		return this.values.virtualThreads;
	}

	public boolean wakeUp() {
		return this.values.wakeUp;
	}

	public boolean handleTstp() {
		return this.values.handleTstp;
	}

	public boolean fetchAhead() {
		return this.values.fetchAhead();
	}

	/**
	 * Collects settings; each method rejects invalid values. Not safe for concurrent use.
	 */
	public static final class Builder {

		private final ServerSettings values = new ServerSettings();

		private Builder() {
		}

		/**
		 * Sets how many tasks run at once.
		 * @param concurrency at least 1, default the number of CPUs
		 */
		public Builder concurrency(int concurrency) {
			this.values.concurrency = ServerSettings.atLeastOne("concurrency", concurrency);
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
			this.values.queue(name, spec);
			return this;
		}

		/**
		 * Sets whether a queue is processed only when all heavier ones are empty (default
		 * {@code false}).
		 */
		public Builder strictPriority(boolean strictPriority) {
			this.values.strictPriority = strictPriority;
			return this;
		}

		/**
		 * Sets how often queues are polled whose arrivals are not announced (default 1
		 * s); the others are polled every five seconds, or at this interval if that is
		 * longer.
		 */
		public Builder taskCheckInterval(Duration interval) {
			this.values.taskCheckInterval = LongestTime.requirePositive("task-check-interval", interval);
			return this;
		}

		/**
		 * Sets how often, at least, the server looks for due tasks (default 5 s); they
		 * are forwarded when due.
		 */
		public Builder delayedTaskCheckInterval(Duration interval) {
			this.values.delayedTaskCheckInterval = LongestTime.requirePositive("delayed-task-check-interval", interval);
			return this;
		}

		/** Sets how long a shutdown waits for running tasks (default 8 s). */
		public Builder shutdownTimeout(Duration timeout) {
			this.values.shutdownTimeout = LongestTime.requireNotNegative("shutdown-timeout", timeout);
			return this;
		}

		/**
		 * Sets how often leases and the server's entry are renewed (default 5 s): at most
		 * a third of the lease duration.
		 */
		public Builder heartbeatInterval(Duration interval) {
			this.values.heartbeatInterval = LongestTime.requirePositive("heartbeat-interval", interval);
			return this;
		}

		/** Sets how often the server looks for lost leases (default 5 s, Go: 60 s). */
		public Builder recoverInterval(Duration interval) {
			this.values.recoverInterval = LongestTime.requirePositive("recover-interval", interval);
			return this;
		}

		/**
		 * Sets how long after its end a lease counts as lost if a live server still lists
		 * the task (default 30 s); else it counts as lost at once.
		 */
		public Builder recoverGrace(Duration grace) {
			this.values.recoverGrace = LongestTime.requireNotNegative("recover-grace", grace);
			return this;
		}

		/**
		 * Sets how many crashes archive a task. A crash counts if the task's handler had
		 * begun, its lease was lost and its server is gone. The first one only makes the
		 * task a suspect, whose later attempts are recorded when they begin.
		 * @param crashes default 3, 0 for never
		 */
		public Builder maxCrashes(int crashes) {
			this.values.maxCrashes = ServerSettings.notNegative("max-crashes", crashes);
			return this;
		}

		/**
		 * Sets how often completed tasks are deleted after their retention (default 8 s).
		 */
		public Builder janitorInterval(Duration interval) {
			this.values.janitorInterval = LongestTime.requirePositive("janitor-interval", interval);
			return this;
		}

		/**
		 * Sets how many completed tasks one script deletes.
		 * @param size at least 1, default 100
		 */
		public Builder janitorBatchSize(int size) {
			this.values.janitorBatchSize = ServerSettings.atLeastOne("janitor-batch-size", size);
			return this;
		}

		/**
		 * Sets how often Redis is pinged for the health check listener (default 15 s).
		 */
		public Builder healthCheckInterval(Duration interval) {
			this.values.healthCheckInterval = LongestTime.requirePositive("health-check-interval", interval);
			return this;
		}

		/**
		 * Sets after which time a handler that continues after its attempt is reported as
		 * stuck, and an outcome that an error handler or policy delays is written without
		 * them (default 10 s).
		 */
		public Builder stuckHandlerTimeout(Duration timeout) {
			this.values.stuckHandlerTimeout = LongestTime.requirePositive("stuck-handler-timeout", timeout);
			return this;
		}

		/**
		 * Sets when groups are aggregated in queues without limits of their own (default
		 * one minute after the newest task).
		 */
		public Builder groupLimits(GroupLimits limits) {
			this.values.groupLimits = limits;
			return this;
		}

		/**
		 * Adds a limit over all servers, to which handlers and queues refer by its name.
		 * @param name letters, digits, dots, dashes and underscores
		 */
		public Builder limit(String name, TaskLimit limit) {
			this.values.limit(name, limit);
			return this;
		}

		/**
		 * Sets which failed attempts are logged as a WARN with their stack trace (default
		 * {@link FailureLogging#FIRST_AND_LAST}).
		 */
		public Builder logFailures(FailureLogging which) {
			this.values.logFailures = Objects.requireNonNull(which, "log-failures must not be null");
			return this;
		}

		/**
		 * Sets what becomes of a task for whose type there is no handler (default
		 * {@link UnknownTypes#WAIT}).
		 */
		public Builder unknownTypes(UnknownTypes unknownTypes) {
			this.values.unknownTypes = Objects.requireNonNull(unknownTypes, "unknown-types must not be null");
			return this;
		}

		/**
		 * Sets after which time a task that waits for a handler is archived (default 7
		 * days).
		 */
		public Builder unknownTypesMaxAge(Duration age) {
			this.values.unknownTypesMaxAge = LongestTime.requirePositive("unknown-types-max-age", age);
			return this;
		}

		/**
		 * Sets what becomes of a task of this server that is cancelled by a plain signal,
		 * as Go sends it (default {@link CancelMode#RETRY}).
		 */
		public Builder cancelMode(CancelMode mode) {
			this.values.cancelMode = Objects.requireNonNull(mode, "cancel must not be null");
			return this;
		}

		/**
		 * Sets whether handlers run in virtual threads, which require Java 21 (default
		 * {@code false}).
		 */
		public Builder virtualThreads(boolean virtualThreads) {
			this.values.virtualThreads = virtualThreads;
			return this;
		}

		/**
		 * Sets whether Redis announces arrivals, where the connection supports it
		 * (default {@code true}). Uses connections outside of the pool: two over Jedis,
		 * one over Lettuce; on a cluster as many for each master that serves queues of
		 * the server.
		 */
		public Builder wakeUp(boolean wakeUp) {
			this.values.wakeUp = wakeUp;
			return this;
		}

		/**
		 * Sets whether SIGTSTP quiets the server, where the JVM supports it (default
		 * {@code true}).
		 */
		public Builder handleTstp(boolean handleTstp) {
			this.values.handleTstp = handleTstp;
			return this;
		}

		/**
		 * Sets whether a server of short handlers takes tasks from long queues before a
		 * worker is idle (default {@code true} without strict priority).
		 */
		public Builder fetchAhead(boolean fetchAhead) {
			this.values.fetchAhead = fetchAhead;
			return this;
		}

		/**
		 * Creates the options.
		 * @throws IllegalArgumentException if a queue names a limit that there is not, or
		 * if tasks are to be fetched ahead with strict priority
		 */
		public ServerOptions build() {
			this.values.requireConsistent();
			return new ServerOptions(this.values.copy());
		}

	}

}
