package io.asynq.server;

/**
 * Results of the aggregation of one queue's groups in one server since its JVM started.
 *
 * @param succeeded how many groups were turned into a task
 * @param failed how many aggregations failed, so that the tasks went back to their group
 * @param tasks how many tasks were aggregated into others
 */
public record AggregationStatistics(long succeeded, long failed, long tasks) {
}
