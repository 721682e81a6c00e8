package io.asynq.benchmarks.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.asynq.benchmarks.report.Figure;

/** Enqueueing. */
public final class Enqueue implements Measure {

	@Override
	public String name() {
		return "enqueue";
	}

	@Override
	public void run(Bench bench) {
		single(bench);
		many(bench);
		alone(bench);
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
		List<Figure> figures = compare(bench, 8, "single", "pending", contenders);
		bench.report().ratio("enqueue-single-vs-jedis", figures.get(0), figures.get(1), 1.4);
	}

	private static void many(Bench bench) {
		bench.report().heading("Enqueueing one by one, 64 threads");
		List<Contender> contenders = new ArrayList<>(List.of(Contender.ours(bench), Contender.ceiling(bench)));
		if (bench.plan().full()) {
			contenders.add(Contender.oursApart(bench));
			contenders.add(Contender.go(bench));
		}
		EnqueueRound round = round(bench, 64, "single", "pending");
		List<Figure> figures = compare(bench, "enqueue-64-threads", round, contenders);
		bench.report().ratio("enqueue-64-threads-vs-jedis", figures.get(0), figures.get(1), 2.2);
		bench.report().limit("enqueue-64-threads-connections", round.connections(contenders.get(0)), 4);
	}

	private static void alone(Bench bench) {
		bench.report().heading("Enqueueing one by one, one thread");
		List<Figure> figures = compare(bench, "enqueue-alone", round(bench, 1, "single", "pending"),
				List.of(Contender.ours(bench), Contender.oursApart(bench)));
		bench.report().ratio("enqueue-alone-vs-not-shared", figures.get(0), figures.get(1), 0.95);
	}

	private static void batch(Bench bench) {
		bench.report().heading("Enqueueing in batches of 64, 4 threads");
		List<Figure> figures = compare(bench, 4, "batch", "pending",
				List.of(Contender.ours(bench), Contender.ceiling(bench), Contender.go(bench)));
		bench.report().ratio("enqueue-batch-vs-ceiling", figures.get(0), figures.get(1), 0.7);
		bench.report().ratio("enqueue-batch-vs-go-pipeline", figures.get(0), figures.get(2), 1.5);
	}

	private static void others(Bench bench) {
		bench.report().heading("Enqueueing unique tasks one by one, 8 threads");
		compare(bench, 8, "unique", "pending", List.of(Contender.ours(bench), Contender.go(bench)));
		bench.report().heading("Enqueueing scheduled tasks one by one, 8 threads");
		compare(bench, 8, "scheduled", "scheduled", List.of(Contender.ours(bench), Contender.go(bench)));
	}

	private static List<Figure> compare(Bench bench, int threads, String mode, String container,
			List<Contender> contenders) {
		return compare(bench, "enqueue-" + mode, round(bench, threads, mode, container), contenders);
	}

	private static List<Figure> compare(Bench bench, String name, EnqueueRound round, List<Contender> contenders) {
		List<Figure> figures = new Comparison(bench, name, "tasks/s", round).run(contenders);
		round.reportCosts(contenders);
		return figures;
	}

	private static EnqueueRound round(Bench bench, int threads, String mode, String container) {
		return new EnqueueRound(bench, Map.of("mode", mode, "threads", threads, "batch", 64), container);
	}

}
