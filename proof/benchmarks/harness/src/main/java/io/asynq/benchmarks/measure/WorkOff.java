package io.asynq.benchmarks.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.asynq.benchmarks.report.Figure;
import io.asynq.test.redis.Toxiproxy;
import redis.clients.jedis.Jedis;

/** Of backlogs, with a handler that does nothing unless it is said what it does. */
final class WorkOff {

	private WorkOff() {
	}

	static void run(Bench bench) {
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
		return compare(bench, "workoff-c" + concurrency, bench.redis().address(), Map.of("concurrency", concurrency),
				true, contenders);
	}

	static List<Figure> compare(Bench bench, String name, String redis, Map<String, Object> settings, boolean costs,
			List<Contender> contenders) {
		WorkOffRound round = new WorkOffRound(bench, redis, settings);
		List<Figure> figures = new Comparison(bench, name, "tasks/s", round).run(contenders);
		if (costs) {
			round.reportCosts(contenders);
		}
		return figures;
	}

	/** With the starter's timers and without; there is no tracer in either. */
	static void observations(Bench bench) {
		bench.report().heading("Working off a backlog, concurrency 10, with and without observations");
		List<Figure> figures = compare(bench, "observations", bench.redis().address(), Map.of(), true,
				List.of(Contender.ours(bench), Contender.oursUnobserved(bench)));
		bench.report().ratio("observed-vs-unobserved", figures.get(0), figures.get(1), 0.9);
	}

	/**
	 * Queues of equal weight, all busy to the end, compared with one that has all tasks.
	 */
	static void queues(Bench bench, int queues) {
		String name = "workoff-" + queues + "-queues";
		bench.report().heading("Working off backlogs in " + queues + " queues, concurrency 10");
		List<Figure> figures = compare(bench, name, bench.redis().address(), Map.of(), true,
				List.of(Contender.ours(bench).withQueues(queues), Contender.ours(bench),
						Contender.go(bench).withQueues(queues)));
		bench.report().ratio(name + "-vs-one", figures.get(0), figures.get(1), 0.95);
		bench.report().ratio(name + "-vs-go", figures.get(0), figures.get(2), 4);
	}

	/** The queue must not matter. */
	static void handler10Ms(Bench bench) {
		bench.report().heading("Working off a backlog, handlers of 10 ms, concurrency 10");
		List<Figure> figures = compare(bench, "handler-10ms", bench.redis().address(), Map.of("work_micros", 10_000),
				false, List.of(Contender.ours(bench), Contender.go(bench)));
		bench.report().ratio("handler-10ms-vs-go", figures.get(0), figures.get(1), 1);
	}

	static void roundTrip(Bench bench) {
		try (Toxiproxy proxy = Toxiproxy.start(bench.redis().address());
				Jedis jedis = new Jedis("127.0.0.1", proxy.port(), 60_000)) {
			proxy.delay(Duration.ofMillis(1));
			bench.report().heading("Working off a backlog, 1 ms further from Redis");
			jedis.ping();
			List<Double> millis = new ArrayList<>();
			for (int i = 0; i < 200; i++) {
				long start = System.nanoTime();
				jedis.ping();
				millis.add((System.nanoTime() - start) / 1e6);
			}
			bench.figure("rtt", "round trip of PING through the proxy", "ms", 0, millis);
			roundTrip(bench, proxy, 10, 30);
			roundTrip(bench, proxy, 64, 40);
		}
	}

	private static void roundTrip(Bench bench, Toxiproxy proxy, int concurrency, double target) {
		String name = "rtt1ms-c" + concurrency;
		bench.report().note("concurrency " + concurrency);
		List<Figure> figures = compare(bench, name, proxy.address(), Map.of("concurrency", concurrency), false,
				List.of(Contender.ours(bench), Contender.go(bench)));
		bench.report().ratio(name + "-vs-go", figures.get(0), figures.get(1), target);
	}

}
