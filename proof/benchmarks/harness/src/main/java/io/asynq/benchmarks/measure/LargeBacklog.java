package io.asynq.benchmarks.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.asynq.benchmarks.process.Answer;
import io.asynq.benchmarks.report.Figure;
import io.asynq.benchmarks.report.Result;

/** Compared with backlogs of ten thousand, and the heap meanwhile. */
final class LargeBacklog {

	private static final int SMALL = 10_000;

	private static final int MIDDLE = 100_000;

	private static final int LARGE = 1_000_000;

	private static final double HEAP_LIMIT = 256;

	private LargeBacklog() {
	}

	static void run(Bench bench) {
		bench.report().heading("A backlog of 1,000,000 against backlogs of 10,000, concurrency 10");
		Contender ours = Contender.ours(bench);
		WorkOffRound large = new WorkOffRound(bench, bench.redis().address(), Map.of("concurrency", 10));
		List<Double> smallRates = new ArrayList<>();
		List<Double> largeRates = new ArrayList<>();
		List<Double> heap = new ArrayList<>();
		List<Double> flat = new ArrayList<>();
		repeatSmall(bench, ours, bench.plan().isQuick() ? 20 : 60);
		int largeRounds = bench.plan().isQuick() ? 1 : bench.plan().rounds();
		for (int i = 0; i < largeRounds; i++) {
			smallRates.add(repeatSmall(bench, ours, bench.plan().isQuick() ? 15 : 30));
			largeRates.add(large.run(ours, LARGE));
			heap.add(large.last().number("heap_max_bytes") / 1048576.0);
			flat.add((double) large.last().number("heap_first_bytes") / large.last().number("heap_last_bytes"));
		}
		if (bench.plan().full()) {
			bench.figure("backlog", "asynq-jvm, backlog of 100,000", "tasks/s", MIDDLE,
					bench.rounds(0, () -> large.run(ours, MIDDLE)));
		}
		Figure small = bench.figure("backlog", "asynq-jvm, backlogs of 10,000", "tasks/s", SMALL, smallRates);
		Figure million = bench.figure("backlog", "asynq-jvm, backlog of 1,000,000", "tasks/s", LARGE, largeRates);
		Figure used = bench.figure("heap", "heap in use after collections, most", "MB", LARGE, heap);
		Figure growth = bench.figure("heap", "the same, first third / last third", "", LARGE, flat);
		bench.report().ratio("backlog-1m-vs-10k", million, small, 0.9);
		bench.report().limit("heap-1m-under-256mb", used, HEAP_LIMIT);
		bench.report().result(new Result("heap-1m-flat", growth.spread(), 0.9));
	}

	/**
	 * Processes small backlogs with one worker: each is complete before the queue is
	 * resumed.
	 */
	private static double repeatSmall(Bench bench, Contender ours, int times) {
		bench.backlog().clear();
		bench.serve(ours, SMALL, Map.of());
		long nanos = 0;
		for (int i = 0; i < times; i++) {
			bench.backlog().pause();
			bench.backlog().fill(SMALL);
			ours.peer().call("again", Map.of("tasks", SMALL));
			bench.backlog().resume();
			Answer await = ours.peer().call("await", Map.of("tasks", SMALL, "timeout_ms", 30_000));
			nanos += await.number("elapsed_ns");
			nanos += bench.backlog().awaitProcessed((long) SMALL * (i + 1));
			if (await.number("seen") != SMALL || await.number("doubled") != 0) {
				bench.report().error(ours.label() + " has seen " + await.text("seen") + " of " + SMALL + " tasks");
			}
		}
		ours.peer().call("stop", Map.of());
		bench.checkLeftOvers(ours.label(), bench.backlog().leftOvers((long) SMALL * times));
		return (double) SMALL * times * 1e9 / nanos;
	}

}
