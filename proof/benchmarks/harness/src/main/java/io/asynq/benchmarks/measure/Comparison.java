package io.asynq.benchmarks.measure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.asynq.benchmarks.report.Figure;

/** Runs contenders in turn, after warm-up rounds that also determine a round's tasks. */
record Comparison(Bench bench, String name, String unit, Round round) {

	private static final int LEAST_TASKS = 200;

	/** Slow peers would need minutes for the tasks of the plan's warm-up. */
	private static final double MOST_WARM_UP_SECONDS = 20;

	List<Figure> run(List<Contender> contenders) {
		Map<Contender, Integer> tasks = new LinkedHashMap<>();
		Map<Contender, List<Double>> values = new LinkedHashMap<>();
		for (Contender contender : contenders) {
			tasks.put(contender, warmUp(contender));
			values.put(contender, new ArrayList<>());
		}
		for (int i = 0; i < this.bench.plan().rounds(); i++) {
			for (Contender contender : contenders) {
				values.get(contender).add(this.round.run(contender, tasks.get(contender)));
			}
		}
		List<Figure> figures = new ArrayList<>();
		values.forEach((contender, rounds) -> figures
			.add(this.bench.figure(this.name, contender.label(), this.unit, tasks.get(contender), rounds)));
		return figures;
	}

	/**
	 * Doubles the work until a round is long enough to be reliable, then continues at
	 * full length until the JIT compilers are done.
	 */
	private int warmUp(Contender contender) {
		double seconds = this.bench.plan().seconds();
		int tasks = this.bench.plan().isQuick() ? LEAST_TASKS * 2 : LEAST_TASKS * 10;
		double rate = this.round.run(contender, tasks);
		while (tasks / rate < seconds / 4) {
			tasks = (int) Math.min(tasks * 8.0, Math.max(tasks * 2.0, rate * seconds));
			rate = this.round.run(contender, tasks);
		}
		double spent = 0;
		int done = 0;
		// Only JVMs need time to compile
		double enough = contender.isJvm() ? this.bench.plan().warmUpSeconds() : 0;
		int least = contender.isJvm() ? this.bench.plan().warmUpTasks() : 0;
		while (spent < enough || done < least && spent < MOST_WARM_UP_SECONDS) {
			tasks = (int) Math.max(LEAST_TASKS, rate * seconds);
			double next = this.round.run(contender, tasks);
			spent += tasks / next;
			done += tasks;
			rate = Math.max(rate, next);
		}
		return (int) Math.max(LEAST_TASKS, Math.round(rate * seconds / 100) * 100);
	}

	/** The turn of one contender. */
	interface Round {

		double run(Contender contender, int tasks);

	}

}
