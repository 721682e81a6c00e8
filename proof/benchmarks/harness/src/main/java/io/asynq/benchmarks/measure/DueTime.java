package io.asynq.benchmarks.measure;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

import io.asynq.benchmarks.report.Figure;
import io.asynq.benchmarks.report.Spread;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.resps.Tuple;

/** From the second at which a scheduled or failed task is due to its handler's start. */
final class DueTime {

	private static final double LIMIT_MILLIS = 50;

	private static final int TASKS = 300;

	private static final List<String> KINDS = List.of("scheduled", "retry");

	private DueTime() {
	}

	static void run(Bench bench) {
		bench.report().heading("From the due second to the start of the handler, " + TASKS + " tasks");
		Contender ours = Contender.ours(bench);
		for (String kind : KINDS) {
			bench.report()
				.limit("due-" + kind + "-p99", measure(bench, kind, ours, bench.plan().rounds()), LIMIT_MILLIS);
			if (!bench.plan().isQuick()) {
				measure(bench, kind, Contender.go(bench), bench.plan().full() ? bench.plan().rounds() : 2);
			}
		}
	}

	private static Figure measure(Bench bench, String kind, Contender contender, int rounds) {
		List<Double> p99s = new ArrayList<>();
		for (int i = 0; i < rounds; i++) {
			p99s.add(kind.equals("retry") ? retried(bench, contender) : scheduled(bench, contender));
		}
		return bench.figure("due-" + kind, contender.label() + ", " + kind + ", p99", "ms", TASKS, p99s);
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
		return Spread.percentile(bench.late(contender, TASKS, due), 99);
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
		return Spread.percentile(bench.late(contender, TASKS, due), 99);
	}

	private static void serve(Bench bench, Contender contender, boolean failFirst) {
		bench.backlog().clear();
		bench.serve(contender, TASKS, Map.of("fail_first", failFirst));
	}

	private static String id(int number) {
		return String.format("%08d", number);
	}

}
