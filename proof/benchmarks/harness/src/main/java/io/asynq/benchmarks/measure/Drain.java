package io.asynq.benchmarks.measure;

import java.util.List;
import java.util.Map;

import io.asynq.benchmarks.process.Answer;

/** Every worker is in the middle of a handler of 50 ms. */
final class Drain {

	private static final int TASKS = 5000;

	private Drain() {
	}

	static void run(Bench bench) {
		bench.report().heading("Stopping a busy server, handlers of 50 ms, concurrency 64");
		for (Contender contender : List.of(Contender.ours(bench), Contender.go(bench))) {
			bench.figure("drain", contender.label(), "ms", TASKS, bench.rounds(1, () -> round(bench, contender)));
		}
	}

	private static double round(Bench bench, Contender contender) {
		bench.backlog().clear();
		bench.backlog().fill(TASKS);
		bench.serve(contender, TASKS, Map.of("concurrency", 64, "work_micros", 50_000));
		bench.backlog().awaitProcessed(TASKS / 4);
		Answer stop = contender.peer().call("stop", Map.of());
		Answer await = contender.peer().call("await", Map.of("tasks", TASKS, "timeout_ms", 0));
		long pending = bench.redis().jedis().llen(Backlog.key("pending"));
		long left = bench.backlog().inProgress();
		if (await.number("seen") + pending != TASKS || stop.number("doubled") != 0 || left != 0) {
			bench.report()
				.error(contender.label() + " has seen " + await.text("seen") + " tasks, " + stop.text("doubled")
						+ " more than once, and of " + TASKS + " are " + pending + " pending, " + left
						+ " entries left in active or lease");
		}
		return stop.number("drain_ns") / 1e6;
	}

}
