package io.asynq.benchmarks.measure;

import io.asynq.benchmarks.process.Launcher;
import io.asynq.benchmarks.process.RedisProcess;
import io.asynq.benchmarks.report.Report;

/**
 * What all measures need.
 *
 * @param plan how long to measure
 * @param redis the Redis
 * @param peers the peers
 * @param backlog fills queues
 * @param report receives the figures
 */
public record Bench(Plan plan, RedisProcess redis, Launcher peers, Backlog backlog, Report report) {

}
