package io.asynq.server;

import java.util.Map;

/**
 * Counters of one server since its JVM started, and its current activity.
 *
 * @param activeWorkers running tasks, including handlers that were left running
 * @param leasesLost attempts that ended because their lease was lost
 * @param outcomesDropped outcomes not written because the lease had expired, the task was
 * requeued by a shutdown, or Redis rejected them
 * @param stuckHandlers handlers that still ran 10 s after their attempt had ended
 * @param recovered tasks brought back after their server had lost them
 * @param postponed tasks that could not run yet and were postponed
 * @param aggregations results of aggregation for each queue of the server
 */
public record ServerStatistics(int activeWorkers, long leasesLost, long outcomesDropped, long stuckHandlers,
		long recovered, long postponed, Map<String, AggregationStatistics> aggregations) {
}
