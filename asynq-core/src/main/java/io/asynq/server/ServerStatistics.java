package io.asynq.server;

import java.util.Map;

/**
 * What happened in one server since its JVM started, and what is going on.
 *
 * @param activeWorkers tasks being worked on, handlers left behind included
 * @param leasesLost attempts that ended because their lease was lost
 * @param outcomesDropped outcomes not written because the lease had ended, the task was
 * requeued by a shutdown, or Redis refused them
 * @param stuckHandlers handlers that still ran 10 s after their attempt had ended
 * @param recovered tasks brought back whose server had lost them
 * @param postponed tasks that could not be worked on yet
 * @param aggregations what became of groups, by queue; all queues of the server
 */
public record ServerStatistics(int activeWorkers, long leasesLost, long outcomesDropped, long stuckHandlers,
		long recovered, long postponed, Map<String, AggregationStatistics> aggregations) {
}
