package io.asynq.benchmarks.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.asynq.benchmarks.report.Figure;
import io.asynq.test.redis.Toxiproxy;
import redis.clients.jedis.Jedis;

/** Processing a backlog with a millisecond between the worker and Redis. */
public final class RoundTrip implements Measure {

	private static final int PINGS = 200;

	@Override
	public String name() {
		return "rtt";
	}

	@Override
	public void run(Bench bench) {
		try (Toxiproxy proxy = Toxiproxy.start(bench.redis().address())) {
			proxy.delay(Duration.ofMillis(1));
			bench.report().heading("Working off a backlog, 1 ms further from Redis");
			bench.report()
				.figure(new Figure("rtt", "round trip of PING through the proxy", "ms", 0, roundTrips(proxy)));
			compare(bench, proxy, 10, 30);
			compare(bench, proxy, 64, 40);
		}
	}

	private static void compare(Bench bench, Toxiproxy proxy, int concurrency, double target) {
		WorkOffRound round = new WorkOffRound(bench, proxy.address(), Map.of("concurrency", concurrency));
		String name = "rtt1ms-c" + concurrency;
		bench.report().note("concurrency " + concurrency);
		List<Figure> figures = new Comparison(bench, name, "tasks/s", round)
			.run(List.of(Contender.ours(bench), Contender.go(bench)));
		bench.report().ratio(name + "-vs-go", figures.get(0), figures.get(1), target);
	}

	private static List<Double> roundTrips(Toxiproxy proxy) {
		List<Double> millis = new ArrayList<>();
		try (Jedis jedis = new Jedis("127.0.0.1", proxy.port(), 60_000)) {
			jedis.ping();
			for (int i = 0; i < PINGS; i++) {
				long start = System.nanoTime();
				jedis.ping();
				millis.add((System.nanoTime() - start) / 1e6);
			}
		}
		return millis;
	}

}
