package io.asynq.benchmarks.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.asynq.benchmarks.process.PeerProcess;
import io.asynq.benchmarks.report.Figure;
import io.asynq.test.redis.Toxiproxy;

/** What it gains, and that the last tasks of a backlog do not wait for it. */
final class FetchAhead {

	/** So few that servers stop fetching ahead before the end. */
	private static final int SHORT_BACKLOG = 2_000;

	private static final int WARM_UP = 10;

	private FetchAhead() {
	}

	static void run(Bench bench) {
		bench.report().heading("Working off a backlog, with and without fetching ahead");
		for (int concurrency : new int[] { 1, 10, 64 }) {
			compare(bench, "ahead-c" + concurrency, bench.redis().address(), concurrency);
		}
		try (Toxiproxy proxy = Toxiproxy.start(bench.redis().address())) {
			proxy.delay(Duration.ofMillis(1));
			bench.report().heading("The same, 1 ms further from Redis");
			for (int concurrency : new int[] { 1, 10, 64 }) {
				compare(bench, "ahead-rtt1ms-c" + concurrency, proxy.address(), concurrency);
			}
		}
		tail(bench);
	}

	/** What one server holds, the other cannot start. */
	private static void tail(Bench bench) {
		bench.report().heading("Two servers, concurrency 10, until " + SHORT_BACKLOG + " tasks of 1 ms are done");
		List<Contender> contenders = List.of(Contender.ours(bench), Contender.oursNotAhead(bench));
		Map<Contender, List<Double>> times = new LinkedHashMap<>();
		for (int i = -WARM_UP; i < 5 * bench.plan().rounds(); i++) {
			for (Contender contender : contenders) {
				double millis = workOffTogether(bench, contender);
				if (i >= 0) {
					times.computeIfAbsent(contender, (key) -> new ArrayList<>()).add(millis);
				}
			}
		}
		times
			.forEach((contender, millis) -> bench.figure("ahead-tail", contender.label(), "ms", SHORT_BACKLOG, millis));
	}

	private static double workOffTogether(Bench bench, Contender contender) {
		List<PeerProcess> servers = List.of(bench.peers().asynq(0), bench.peers().asynq(1));
		bench.backlog().clear();
		bench.backlog().pause();
		bench.backlog().fill(SHORT_BACKLOG);
		servers.forEach((server) -> bench.serve(server, SHORT_BACKLOG, contender.with(Map.of("work_micros", 1000))));
		long start = System.nanoTime();
		bench.backlog().resume();
		bench.backlog().awaitProcessed(SHORT_BACKLOG);
		double millis = (System.nanoTime() - start) / 1e6;
		long doubled = servers.stream().mapToLong((server) -> server.call("stop", Map.of()).number("doubled")).sum();
		String left = bench.backlog().leftOvers(SHORT_BACKLOG);
		if (doubled != 0 || !left.isEmpty()) {
			bench.report().error(doubled + " tasks were seen more than once; " + left);
		}
		return millis;
	}

	private static void compare(Bench bench, String name, String address, int concurrency) {
		bench.report().note("concurrency " + concurrency);
		List<Figure> figures = WorkOff.compare(bench, name, address, Map.of("concurrency", concurrency), true,
				List.of(Contender.ours(bench), Contender.oursNotAhead(bench)));
		bench.report().ratio(name + "-vs-not", figures.get(0), figures.get(1), 0);
	}

}
