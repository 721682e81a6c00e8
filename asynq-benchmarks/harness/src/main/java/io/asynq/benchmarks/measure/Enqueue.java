package io.asynq.benchmarks.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.asynq.benchmarks.report.Figure;

/**
 * Enqueueing.
 */
public final class Enqueue implements Measure {

	@Override
	public String name() {
		return "enqueue";
	}

	@Override
	public void run(Bench bench) {
		single(bench);
		batch(bench);
		if (bench.plan().full()) {
			others(bench);
		}
	}

	private static void single(Bench bench) {
		bench.report().heading("Enqueueing one by one, 8 threads");
		List<Contender> contenders = new ArrayList<>(
				List.of(Contender.ours(bench), Contender.ceiling(bench), Contender.go(bench)));
		if (bench.plan().full()) {
			contenders.add(Contender.oursTuned(bench));
			contenders.add(Contender.rival(bench, "rqueue", false));
			contenders.add(Contender.rival(bench, "redisson", false));
			contenders.add(Contender.rival(bench, "dbscheduler", false));
		}
		List<Figure> figures = compare(bench, "single", "pending", contenders);
		bench.report().ratio("enqueue-single-vs-jedis", figures.get(0), figures.get(1), 0.9);
	}

	private static void batch(Bench bench) {
		bench.report().heading("Enqueueing in batches of 64, 4 threads");
		List<Figure> figures = compare(bench, "batch", "pending",
				List.of(Contender.ours(bench), Contender.ceiling(bench), Contender.go(bench)));
		bench.report().ratio("enqueue-batch-vs-ceiling", figures.get(0), figures.get(1), 0.7);
		bench.report().ratio("enqueue-batch-vs-go-pipeline", figures.get(0), figures.get(2), 1.5);
	}

	private static void others(Bench bench) {
		bench.report().heading("Enqueueing unique tasks one by one, 8 threads");
		compare(bench, "unique", "pending", List.of(Contender.ours(bench), Contender.go(bench)));
		bench.report().heading("Enqueueing scheduled tasks one by one, 8 threads");
		compare(bench, "scheduled", "scheduled", List.of(Contender.ours(bench), Contender.go(bench)));
	}

	private static List<Figure> compare(Bench bench, String mode, String container, List<Contender> contenders) {
		int threads = "batch".equals(mode) ? 4 : 8;
		EnqueueRound round = new EnqueueRound(bench, Map.of("mode", mode, "threads", threads, "batch", 64), container);
		List<Figure> figures = new Comparison(bench, "enqueue-" + mode, "tasks/s", round).run(contenders);
		round.reportCosts(contenders);
		return figures;
	}

}
