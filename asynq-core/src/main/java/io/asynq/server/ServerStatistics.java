package io.asynq.server;

import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Counters of one server since its JVM started, and its current activity.
 *
 * @param activeWorkers including handlers that were left running
 * @param heldTasks tasks in the prefetch buffer
 * @param sinceHeartbeat time since the last heartbeat that Redis has taken, or since the
 * start; {@code null} unless the server is running
 * @param outcomesDropped outcomes of which nothing was written, because the lease had
 * expired or Redis rejected them
 * @param stuckHandlers handlers that still ran 10 s after their attempt had ended
 * @param hangingHandlers those of them that run even now
 * @param unwrittenOutcomes outcomes that Redis has not taken yet and that are sent again
 * @param dequeuesFailed calls for tasks that Redis did not answer, or refused
 * @param forwarderLag how long a look for due tasks is overdue; zero if none is,
 * {@code null} unless the forwarder is running
 * @param archived including poisoned tasks and those of groups
 * @param crashed recovered tasks that are known to have been running when a server died
 * @param poisoned tasks archived because they, or the aggregator of their group, kept
 * taking servers down
 * @param unhandled attempts that found no handler, after which the task waits for one
 * @param aggregations results by queue
 */
public record ServerStatistics(int activeWorkers, int maxWorkers, int heldTasks, @Nullable Duration sinceHeartbeat,
		long leasesLost, long outcomesDropped, long stuckHandlers, int hangingHandlers, int unwrittenOutcomes,
		long dequeuesFailed, @Nullable Duration forwarderLag, long archived, long timedOut, long recovered,
		long crashed, long poisoned, long postponed, long unhandled, Map<String, Aggregation> aggregations) {

	/**
	 * Results of the aggregation of one queue's groups in one server since its JVM
	 * started.
	 *
	 * @param succeeded groups that were turned into a task
	 * @param failed aggregations after which the tasks went back to their group
	 * @param tasks tasks that were aggregated into others
	 */
	public record Aggregation(long succeeded, long failed, long tasks) {
	}

}
