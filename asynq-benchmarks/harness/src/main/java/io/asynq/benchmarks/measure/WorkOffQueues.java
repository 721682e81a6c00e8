package io.asynq.benchmarks.measure;

import java.util.List;
import java.util.Map;

import io.asynq.benchmarks.report.Figure;

/**
 * Processing backlogs in several queues of equal weight, all busy to the end, with a
 * handler that does nothing, compared with one queue that has all tasks.
 */
public final class WorkOffQueues implements Measure {

	private final int queues;

	public WorkOffQueues(int queues) {
		this.queues = queues;
	}

	@Override
	public String name() {
		return "workoff-" + this.queues + "-queues";
	}

	@Override
	public void run(Bench bench) {
		bench.report().heading("Working off backlogs in " + this.queues + " queues, concurrency 10");
		WorkOffRound round = new WorkOffRound(bench, bench.redis().address(), Map.of("concurrency", 10));
		List<Contender> contenders = List.of(Contender.ours(bench).withQueues(this.queues), Contender.ours(bench),
				Contender.go(bench).withQueues(this.queues));
		List<Figure> figures = new Comparison(bench, name(), "tasks/s", round).run(contenders);
		round.reportCosts(contenders);
		bench.report().ratio(name() + "-vs-one", figures.get(0), figures.get(1), 0.95);
		bench.report().ratio(name() + "-vs-go", figures.get(0), figures.get(2), 4);
	}

}
