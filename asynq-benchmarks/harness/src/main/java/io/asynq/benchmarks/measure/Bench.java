package io.asynq.benchmarks.measure;

import io.asynq.benchmarks.process.Launcher;
import io.asynq.benchmarks.process.RedisProcess;
import io.asynq.benchmarks.report.Report;

/**
 * What measures share.
 *
 * @param plan how long
 * @param redis the Redis
 * @param peers the peers
 * @param backlog fills queues
 * @param report takes what was measured
 */
public record Bench(Plan plan, RedisProcess redis, Launcher peers, Backlog backlog, Report report) {

}
