package io.asynq.benchmarks.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.asynq.benchmarks.report.Figure;

/** Processing a backlog with a handler that does nothing. */
public final class WorkOff implements Measure {

	@Override
	public String name() {
		return "workoff";
	}

	@Override
	public void run(Bench bench) {
		againstTargets(bench);
		if (bench.plan().full()) {
			for (int concurrency : new int[] { 1, 64, 512 }) {
				bench.report().heading("Working off a backlog, concurrency " + concurrency);
				compare(bench, concurrency, List.of(Contender.ours(bench), Contender.go(bench)));
			}
			variants(bench);
		}
	}

	private static void againstTargets(Bench bench) {
		bench.report().heading("Working off a backlog, concurrency 10");
		List<Figure> figures = compare(bench, 10,
				List.of(Contender.ours(bench), Contender.go(bench), Contender.ceiling(bench),
						Contender.rival(bench, "rqueue", true), Contender.rival(bench, "redisson", true)));
		Figure ours = figures.get(0);
		bench.report().ratio("workoff-c10-vs-go", ours, figures.get(1), 6);
		bench.report().ratio("workoff-c10-vs-ceiling", ours, figures.get(2), 0.8);
		bench.report().ratio("workoff-c10-vs-rqueue-tuned", ours, figures.get(3), 10);
		bench.report().ratio("workoff-c10-vs-redisson-tuned", ours, figures.get(4), 10);
	}

	private static void variants(Bench bench) {
		bench.report().heading("Working off a backlog, concurrency 10, other settings and stores");
		List<Contender> contenders = new ArrayList<>(
				List.of(Contender.ours(bench), Contender.oursTuned(bench), Contender.goTuned(bench)));
		if (bench.peers().hasNewerJava()) {
			contenders.add(Contender.oursVirtual(bench));
		}
		for (String rival : List.of("rqueue", "redisson", "dbscheduler")) {
			contenders.add(Contender.rival(bench, rival, false));
		}
		contenders.add(Contender.rival(bench, "dbscheduler", true));
		compare(bench, 10, contenders);
		if (bench.peers().hasNewerJava()) {
			bench.report().heading("Working off a backlog, concurrency 512, threads of either kind");
			compare(bench, 512, List.of(Contender.ours(bench), Contender.oursVirtual(bench)));
		}
	}

	private static List<Figure> compare(Bench bench, int concurrency, List<Contender> contenders) {
		WorkOffRound round = new WorkOffRound(bench, bench.redis().address(), Map.of("concurrency", concurrency));
		List<Figure> figures = new Comparison(bench, "workoff-c" + concurrency, "tasks/s", round).run(contenders);
		round.reportCosts(contenders);
		return figures;
	}

}
