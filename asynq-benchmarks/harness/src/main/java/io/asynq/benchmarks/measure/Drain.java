package io.asynq.benchmarks.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.asynq.benchmarks.process.Answer;
import io.asynq.benchmarks.report.Figure;

/**
 * How long a server takes to stop in the middle of a backlog while every worker runs a
 * handler of 50 ms.
 */
public final class Drain implements Measure {

	private static final int TASKS = 5000;

	@Override
	public String name() {
		return "drain";
	}

	@Override
	public boolean hasTarget() {
		return false;
	}

	@Override
	public void run(Bench bench) {
		bench.report().heading("Stopping a busy server, handlers of 50 ms, concurrency 64");
		for (Contender contender : List.of(Contender.ours(bench), Contender.go(bench))) {
			List<Double> millis = new ArrayList<>();
			for (int i = -1; i < bench.plan().rounds(); i++) {
				double drain = round(bench, contender);
				if (i >= 0) {
					millis.add(drain);
				}
			}
			bench.report().figure(new Figure(name(), contender.label(), "ms", TASKS, millis));
		}
	}

	private static double round(Bench bench, Contender contender) {
		bench.backlog().clear();
		bench.backlog().fill(TASKS);
		contender.peer()
			.call("serve", Map.of("redis", bench.redis().address(), "queues", Backlog.QUEUE, "concurrency", 64, "tasks",
					TASKS, "work_micros", 50_000));
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
