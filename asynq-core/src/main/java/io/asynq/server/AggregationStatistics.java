package io.asynq.server;

/**
 * Results of the aggregation of one queue's groups in one server since its JVM started.
 *
 * @param succeeded groups that were turned into a task
 * @param failed aggregations after which the tasks went back to their group
 * @param tasks tasks that were aggregated into others
 */
public record AggregationStatistics(long succeeded, long failed, long tasks) {
}
