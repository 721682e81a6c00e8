package io.asynq.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.Map;

import io.asynq.scheduler.MissedFirePolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of client, server, scheduler and metrics. The server's queues, which may be a
 * map or a list, are read by {@link ServerQueues}, the scheduler's entries, likewise, by
 * {@link SchedulerEntries}.
 *
 * @param server settings of the server
 * @param client settings of the client
 * @param metrics settings of the metrics
 * @param scheduler settings of the scheduler
 */
@ConfigurationProperties("asynq")
record AsynqProperties(@DefaultValue Server server, @DefaultValue Client client, @DefaultValue Metrics metrics,
		@DefaultValue Scheduler scheduler) {

	/**
	 * Settings of the server.
	 *
	 * @param enabled Whether this application works on tasks. If not, it can still
	 * enqueue them.
	 * @param autoStartup Whether the server starts with the application.
	 * @param concurrency Number of tasks worked on at once. Defaults to the number of
	 * CPUs.
	 * @param strictPriority Whether a queue is touched only when all queues with a
	 * greater weight are empty.
	 * @param taskCheckInterval Time after which an idle server looks for pending tasks
	 * again when Redis does not tell of arrivals.
	 * @param delayedTaskCheckInterval Longest time between two looks for scheduled and
	 * retried tasks that are due.
	 * @param shutdownTimeout Time that running tasks get to end at shutdown, after which
	 * they go back to their queue. Keep it below
	 * spring.lifecycle.timeout-per-shutdown-phase.
	 * @param heartbeatInterval Time between two renewals of leases and of the server's
	 * entry. At most a third of the lease duration.
	 * @param leaseDuration Time after its last renewal at which a lease ends, in whole
	 * seconds and at least three. Servers on the same queues should agree, and Go servers
	 * use 30 seconds.
	 * @param recoverInterval Time between two looks for tasks whose server is gone.
	 * @param recoverGrace Time after the end of a lease at which its task counts as lost
	 * although a live server lists it.
	 * @param maxCrashes Number of servers a task may take down before it is archived,
	 * after a first one that only makes it a suspect; 0 for any number.
	 * @param janitorInterval Time between two deletions of completed tasks whose
	 * retention is over.
	 * @param janitorBatchSize Number of completed tasks deleted in one step.
	 * @param healthCheckInterval Time between two pings for HealthCheckListener beans.
	 * @param stuckHandlerTimeout Time after the end of its attempt at which a handler
	 * that still runs is reported as stuck, and the outcome written that an error handler
	 * or policy keeps back.
	 * @param groupGracePeriod Time after its newest task at which a group is aggregated.
	 * At least one second.
	 * @param groupMaxDelay Time after its oldest task at which a group is aggregated at
	 * the latest; 0 for any time.
	 * @param groupMaxSize Number of tasks at which a group is aggregated, and that are
	 * aggregated at once; 0 for any number.
	 * @param groups Limits of the groups of single queues, by queue. Names with
	 * characters other than letters, digits and dashes need brackets, as in '[User:42]'.
	 * @param wakeUp Whether Redis is asked to tell of arrivals, which takes two
	 * connections.
	 * @param handleTstp Whether the signal SIGTSTP makes the server stop taking tasks.
	 */
	record Server(@DefaultValue("true") boolean enabled, @DefaultValue("true") boolean autoStartup,
			@Nullable Integer concurrency, @DefaultValue("false") boolean strictPriority,
			@DefaultValue("1s") Duration taskCheckInterval, @DefaultValue("5s") Duration delayedTaskCheckInterval,
			@DefaultValue("8s") Duration shutdownTimeout, @DefaultValue("5s") Duration heartbeatInterval,
			@DefaultValue("30s") Duration leaseDuration, @DefaultValue("5s") Duration recoverInterval,
			@DefaultValue("30s") Duration recoverGrace, @DefaultValue("3") int maxCrashes,
			@DefaultValue("8s") Duration janitorInterval, @DefaultValue("100") int janitorBatchSize,
			@DefaultValue("15s") Duration healthCheckInterval, @DefaultValue("10s") Duration stuckHandlerTimeout,
			@DefaultValue("1m") Duration groupGracePeriod, @DefaultValue("0s") Duration groupMaxDelay,
			@DefaultValue("0") int groupMaxSize, @DefaultValue Map<String, Groups> groups,
			@DefaultValue("true") boolean wakeUp, @DefaultValue("true") boolean handleTstp) {
	}

	/**
	 * Limits of the groups of one queue.
	 *
	 * @param gracePeriod Time after its newest task at which a group is aggregated.
	 * @param maxDelay Time after its oldest task at which a group is aggregated at the
	 * latest.
	 * @param maxSize Number of tasks at which a group is aggregated.
	 */
	record Groups(@Nullable Duration gracePeriod, @Nullable Duration maxDelay, @Nullable Integer maxSize) {
	}

	/**
	 * Settings of the client.
	 *
	 * @param maxPayloadSize Size up to which a task's payload, its headers included, is
	 * accepted.
	 * @param tasks Options by task type, for what the call itself does not set. Types
	 * with a colon or a dot need brackets, as in '[email:send]'.
	 */
	record Client(@DefaultValue("1MB") DataSize maxPayloadSize, @DefaultValue Map<String, TaskDefaults> tasks) {
	}

	/**
	 * Options of the tasks of one type.
	 *
	 * @param queue Queue that takes the tasks.
	 * @param maxRetry Number of retries after a failure.
	 * @param timeout Time that one attempt may last.
	 * @param retention Time for which a completed task is kept.
	 * @param unique Time for which a second task with the same payload is refused.
	 */
	record TaskDefaults(@Nullable String queue, @Nullable Integer maxRetry, @Nullable Duration timeout,
			@Nullable Duration retention, @Nullable Duration unique) {
	}

	/**
	 * Settings of the metrics.
	 *
	 * @param queues settings of the queues' metrics
	 */
	record Metrics(@DefaultValue Queues queues) {

		/**
		 * Settings of the queues' metrics.
		 *
		 * @param enabled Whether the state of all queues is published as metrics. Every
		 * application on the same Redis publishes the same values.
		 */
		record Queues(@DefaultValue("true") boolean enabled) {
		}

	}

	/**
	 * Settings of the scheduler.
	 *
	 * @param enabled Whether this application enqueues periodic tasks.
	 * @param clusterSafe Whether each fire is enqueued once among all applications that
	 * have the same entry. If not, each of them enqueues it, as Go does.
	 * @param zone Time zone of entries that name none.
	 * @param heartbeatInterval Time between two writes of the entries that tools show.
	 * @param syncInterval Time between two questions to PeriodicTaskProvider beans.
	 * @param missedFires What becomes of fires while no scheduler was there, for entries
	 * that do not say so.
	 */
	record Scheduler(@DefaultValue("true") boolean enabled, @DefaultValue("true") boolean clusterSafe,
			@DefaultValue("UTC") String zone, @DefaultValue("10s") Duration heartbeatInterval,
			@DefaultValue("3m") Duration syncInterval, @DefaultValue("skip") MissedFirePolicy missedFires) {
	}

}
