package io.asynq.benchmarks.measure;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

import io.asynq.benchmarks.process.Answer;
import io.asynq.benchmarks.report.Figure;
import io.asynq.benchmarks.report.Spread;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.resps.Tuple;

/**
 * The time from the second at which a task is due to the start of its handler: for
 * scheduled tasks, and for tasks whose first attempt failed.
 */
public final class DueTime implements Measure {

	private static final double LIMIT_MILLIS = 50;

	private static final int TASKS = 300;

	@Override
	public String name() {
		return "due";
	}

	@Override
	public void run(Bench bench) {
		bench.report().heading("From the due second to the start of the handler, " + TASKS + " tasks");
		Samples ours = measure(bench, Contender.ours(bench), bench.plan().rounds());
		bench.report().limit("due-scheduled-p99", ours.report(bench, "scheduled", ours.scheduled), LIMIT_MILLIS);
		bench.report().limit("due-retry-p99", ours.report(bench, "retry", ours.retried), LIMIT_MILLIS);
		if (!bench.plan().isQuick()) {
			Samples go = measure(bench, Contender.go(bench), bench.plan().full() ? bench.plan().rounds() : 2);
			go.report(bench, "scheduled", go.scheduled);
			go.report(bench, "retry", go.retried);
		}
	}

	private static Samples measure(Bench bench, Contender contender, int rounds) {
		Samples samples = new Samples(contender.label(), new ArrayList<>(), new ArrayList<>());
		for (int i = 0; i < rounds; i++) {
			samples.scheduled.add(scheduled(bench, contender));
			samples.retried.add(retried(bench, contender));
		}
		return samples;
	}

	static double scheduled(Bench bench, Contender contender) {
		serve(bench, contender, false);
		int seconds = bench.plan().isQuick() ? 1 : 3;
		Instant first = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(2);
		bench.backlog()
			.fill(0, TASKS, DueTime::id, (number, options) -> options.processAt(first.plusSeconds(number % seconds)));
		Map<Integer, Long> due = new HashMap<>();
		for (int i = 0; i < TASKS; i++) {
			due.put(i, (first.getEpochSecond() + i % seconds) * 1_000_000L);
		}
		return p99(bench, contender, due);
	}

	static double retried(Bench bench, Contender contender) {
		serve(bench, contender, true);
		bench.backlog().fill(0, TASKS, DueTime::id, (number, options) -> options.maxRetry(3));
		Jedis jedis = bench.redis().jedis();
		Map<Integer, Long> due = new HashMap<>();
		long end = System.nanoTime() + 30_000_000_000L;
		while (due.size() < TASKS && System.nanoTime() < end) {
			for (Tuple entry : jedis.zrangeWithScores(Backlog.key("retry"), 0, -1)) {
				due.put(Integer.valueOf(entry.getElement()), (long) entry.getScore() * 1_000_000L);
			}
			LockSupport.parkNanos(1_000_000);
		}
		if (due.size() < TASKS) {
			bench.report().error(contender.label() + ": only " + due.size() + " of " + TASKS + " tasks came to retry");
		}
		return p99(bench, contender, due);
	}

	private static void serve(Bench bench, Contender contender, boolean failFirst) {
		bench.backlog().clear();
		contender.peer()
			.call("serve", Map.of("redis", bench.redis().address(), "queues", Backlog.QUEUE, "concurrency", 10, "tasks",
					TASKS, "fail_first", failFirst));
	}

	private static double p99(Bench bench, Contender contender, Map<Integer, Long> due) {
		Answer await = contender.peer().call("await", Map.of("tasks", TASKS, "timeout_ms", 30_000));
		Map<Integer, Long> starts = contender.peer().call("starts", Map.of()).moments("starts");
		long doubled = contender.peer().call("stop", Map.of()).number("doubled");
		if (await.number("seen") != TASKS || doubled != 0) {
			bench.report().error(contender.label() + " has seen " + await.text("seen") + " of " + TASKS + " tasks");
		}
		List<Double> millis = new ArrayList<>();
		due.forEach((number, moment) -> {
			if (starts.get(number) > 0) {
				millis.add((starts.get(number) - moment) / 1000.0);
			}
		});
		return Spread.percentile(millis, 99);
	}

	private static String id(int number) {
		return String.format("%08d", number);
	}

	private record Samples(String label, List<Double> scheduled, List<Double> retried) {

		Figure report(Bench bench, String kind, List<Double> p99s) {
			Figure figure = new Figure("due-" + kind, this.label + ", " + kind + ", p99", "ms", TASKS, p99s);
			bench.report().figure(figure);
			return figure;
		}

	}

}
