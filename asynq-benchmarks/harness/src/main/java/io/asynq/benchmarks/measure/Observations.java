package io.asynq.benchmarks.measure;

import java.util.List;
import java.util.Map;

import io.asynq.benchmarks.report.Figure;

/**
 * What observations cost where they cost most: processing a backlog with a handler that
 * does nothing, with the starter's timers and without observations.
 */
public final class Observations implements Measure {

	@Override
	public String name() {
		return "observations";
	}

	@Override
	public void run(Bench bench) {
		bench.report().heading("Working off a backlog, concurrency 10, with and without observations");
		WorkOffRound round = new WorkOffRound(bench, bench.redis().address(), Map.of("concurrency", 10));
		List<Contender> contenders = List.of(Contender.ours(bench), Contender.oursUnobserved(bench));
		List<Figure> figures = new Comparison(bench, name(), "tasks/s", round).run(contenders);
		round.reportCosts(contenders);
		bench.report().ratio("observed-vs-unobserved", figures.get(0), figures.get(1), 0.9);
	}

}
