package io.asynq.server;

/**
 * What became of the groups of one queue in one server since its JVM started.
 *
 * @param succeeded how many tasks were made of groups
 * @param failed how often that failed: the tasks went back to their group
 * @param tasks how many tasks were turned into others
 */
public record AggregationStatistics(long succeeded, long failed, long tasks) {
}
