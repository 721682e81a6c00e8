package io.asynq.benchmarks.measure;

import io.asynq.benchmarks.process.Launcher;
import io.asynq.benchmarks.process.RedisProcess;
import io.asynq.benchmarks.report.Report;

/** What all measures need. */
public record Bench(Plan plan, RedisProcess redis, Launcher peers, Backlog backlog, Report report) {

}
