package io.asynq.benchmarks.measure;

import java.util.List;
import java.util.Map;

import io.asynq.benchmarks.report.Figure;

/** Handlers that take 10 ms, so that the queue must not matter. */
public final class Handler10Ms implements Measure {

	@Override
	public String name() {
		return "handler-10ms";
	}

	@Override
	public void run(Bench bench) {
		bench.report().heading("Working off a backlog, handlers of 10 ms, concurrency 10");
		WorkOffRound round = new WorkOffRound(bench, bench.redis().address(),
				Map.of("concurrency", 10, "work_micros", 10_000));
		List<Figure> figures = new Comparison(bench, name(), "tasks/s", round)
			.run(List.of(Contender.ours(bench), Contender.go(bench)));
		bench.report().ratio("handler-10ms-vs-go", figures.get(0), figures.get(1), 1);
	}

}
