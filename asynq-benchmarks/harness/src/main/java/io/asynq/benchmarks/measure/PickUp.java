package io.asynq.benchmarks.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.asynq.benchmarks.process.Answer;
import io.asynq.benchmarks.process.PeerProcess;
import io.asynq.benchmarks.report.Figure;
import io.asynq.benchmarks.report.Spread;

/**
 * The time from just before a task is enqueued to the start of its handler, in an idle
 * server; tasks arrive one by one.
 */
public final class PickUp implements Measure {

	private static final double P50_LIMIT_MILLIS = 2;

	private static final double P99_LIMIT_MILLIS = 10;

	@Override
	public String name() {
		return "pickup";
	}

	@Override
	public void run(Bench bench) {
		bench.report().heading("From enqueue to the start of the handler, idle server");
		int tasks = bench.plan().isQuick() ? 200 : 400;
		limits(bench, "pickup-java", bench.peers().asynq(1), tasks);
		limits(bench, "pickup-go", bench.peers().go(), tasks);
		if (!bench.plan().isQuick()) {
			// Go polls once per second, so that few samples take long
			figures(bench, "pickup-by-go-server", Contender.go(bench), bench.peers().asynq(1), 20, 150_000);
		}
		if (bench.plan().full()) {
			figures(bench, "pickup-by-rqueue", Contender.rival(bench, "rqueue", false), bench.peers().rival("rqueue"),
					50, 25_000);
			figures(bench, "pickup-by-redisson", Contender.rival(bench, "redisson", false),
					bench.peers().rival("redisson"), 50, 25_000);
		}
	}

	private static void limits(Bench bench, String name, PeerProcess producer, int tasks) {
		List<Figure> figures = figures(bench, name, Contender.ours(bench), producer, tasks, 5_000);
		bench.report().limit(name + "-p50", figures.get(0), P50_LIMIT_MILLIS);
		bench.report().limit(name + "-p99", figures.get(1), P99_LIMIT_MILLIS);
	}

	private static List<Figure> figures(Bench bench, String name, Contender server, PeerProcess producer, int tasks,
			int gapMicros) {
		List<Double> medians = new ArrayList<>();
		List<Double> p99s = new ArrayList<>();
		for (int i = -1; i < bench.plan().rounds(); i++) {
			List<Double> millis = round(bench, server, producer, tasks, gapMicros);
			if (i >= 0) {
				medians.add(Spread.percentile(millis, 50));
				p99s.add(Spread.percentile(millis, 99));
			}
		}
		List<Figure> figures = List.of(
				new Figure(name, server.label() + ", by " + producer.name() + ", p50", "ms", tasks, medians),
				new Figure(name, server.label() + ", by " + producer.name() + ", p99", "ms", tasks, p99s));
		figures.forEach(bench.report()::figure);
		return figures;
	}

	/**
	 * Returns the times of one round in milliseconds.
	 */
	static List<Double> round(Bench bench, Contender server, PeerProcess producer, int tasks, int gapMicros) {
		bench.backlog().clear();
		server.peer()
			.call("serve", Map.of("redis", bench.redis().address(), "queues", Backlog.QUEUE, "concurrency", 10, "tasks",
					tasks));
		Map<Integer, Long> sent = producer
			.call("pace", Map.of("redis", bench.redis().address(), "queues", Backlog.QUEUE, "tasks", tasks,
					"gap_micros", gapMicros))
			.moments("sent");
		Answer await = server.peer().call("await", Map.of("tasks", tasks, "timeout_ms", 30_000));
		Map<Integer, Long> starts = server.peer().call("starts", Map.of()).moments("starts");
		long doubled = server.peer().call("stop", Map.of()).number("doubled");
		if (await.number("seen") != tasks || doubled != 0) {
			bench.report()
				.error(server.label() + " has seen " + await.text("seen") + " of " + tasks + " tasks, " + doubled
						+ " more than once");
		}
		List<Double> millis = new ArrayList<>();
		sent.forEach((number, moment) -> {
			// The first one opens the connections of the producer
			if (number > 0 && starts.get(number) > 0) {
				millis.add((starts.get(number) - moment) / 1000.0);
			}
		});
		return millis;
	}

}
