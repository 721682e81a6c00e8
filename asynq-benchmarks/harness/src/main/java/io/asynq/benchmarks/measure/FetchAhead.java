package io.asynq.benchmarks.measure;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.asynq.benchmarks.report.Figure;
import io.asynq.test.redis.Toxiproxy;

/**
 * What fetching ahead of the workers gains: beside Redis, and with a millisecond between
 * them.
 */
public final class FetchAhead implements Measure {

	@Override
	public String name() {
		return "fetch-ahead";
	}

	@Override
	public boolean hasTarget() {
		return false;
	}

	@Override
	public void run(Bench bench) {
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
	}

	private static void compare(Bench bench, String name, String address, int concurrency) {
		bench.report().note("concurrency " + concurrency);
		WorkOffRound round = new WorkOffRound(bench, address, Map.of("concurrency", concurrency));
		List<Contender> contenders = List.of(Contender.ours(bench), Contender.oursNotAhead(bench));
		List<Figure> figures = new Comparison(bench, name, "tasks/s", round).run(contenders);
		round.reportCosts(contenders);
		bench.report().ratio(name + "-vs-not", figures.get(0), figures.get(1), 0);
	}

}
