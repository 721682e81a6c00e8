package io.asynq.benchmarks.measure;

import java.util.List;
import java.util.function.ToDoubleFunction;

import io.asynq.benchmarks.process.Answer;
import io.asynq.benchmarks.report.Figure;
import io.asynq.benchmarks.report.Report;

/** The resources that a round used. */
record Cost(Answer worker, long redisCpuNanos, long commands, int tasks) {

	static void report(Report report, String contender, List<Cost> rounds) {
		add(report, contender, rounds, "worker CPU per task", "µs",
				(cost) -> cost.worker.number("cpu_ns") / 1000.0 / cost.tasks);
		add(report, contender, rounds, "Redis CPU per task", "µs", (cost) -> cost.redisCpuNanos / 1000.0 / cost.tasks);
		add(report, contender, rounds, "Redis commands per task", "", (cost) -> (double) cost.commands / cost.tasks);
		add(report, contender, rounds, "allocated per task", "bytes",
				(cost) -> (double) cost.worker.number("alloc_bytes") / cost.tasks);
	}

	private static void add(Report report, String contender, List<Cost> rounds, String name, String unit,
			ToDoubleFunction<Cost> value) {
		report.figure(new Figure(name, contender + ": " + name, unit, 0,
				rounds.stream().map((cost) -> value.applyAsDouble(cost)).toList()));
	}

}
