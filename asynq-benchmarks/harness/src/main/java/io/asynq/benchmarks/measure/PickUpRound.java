package io.asynq.benchmarks.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

import io.asynq.benchmarks.process.Answer;
import io.asynq.benchmarks.process.PeerProcess;
import io.asynq.benchmarks.report.Figure;
import io.asynq.benchmarks.report.Report;
import io.asynq.benchmarks.report.Spread;

/** Tasks that arrive one by one at an idle server, in turn in each of its queues. */
record PickUpRound(Report report, String redis, Runnable clear, List<String> queues, int rounds) {

	private static final Duration SETTLING = Duration.ofMillis(1500);

	static PickUpRound of(Bench bench) {
		return new PickUpRound(bench.report(), bench.redis().address(), bench.backlog()::clear, List.of(Backlog.QUEUE),
				bench.plan().rounds());
	}

	/**
	 * Takes medians and 99th percentiles of all rounds, the first of which does not
	 * count.
	 */
	List<Figure> figures(String name, Contender server, PeerProcess producer, int tasks, int gapMicros) {
		List<Double> medians = new ArrayList<>();
		List<Double> p99s = new ArrayList<>();
		for (int i = -1; i < this.rounds; i++) {
			List<Double> millis = run(server, producer, tasks, gapMicros);
			if (i >= 0) {
				medians.add(Spread.percentile(millis, 50));
				p99s.add(Spread.percentile(millis, 99));
			}
		}
		List<Figure> figures = List.of(
				new Figure(name, server.label() + ", by " + producer.name() + ", p50", "ms", tasks, medians),
				new Figure(name, server.label() + ", by " + producer.name() + ", p99", "ms", tasks, p99s));
		figures.forEach(this.report::figure);
		return figures;
	}

	List<Double> run(Contender server, PeerProcess producer, int tasks, int gapMicros) {
		this.clear.run();
		Map<String, Object> serve = new HashMap<>(server.settings());
		serve.putAll(Map.of("redis", this.redis, "queues", String.join(",", this.queues), "concurrency", 10, "tasks",
				tasks));
		server.peer().call("serve", serve);
		// Until then it is not idle, but starting
		LockSupport.parkNanos(SETTLING.toNanos());
		Map<Integer, Long> sent = new HashMap<>();
		int first = 0;
		for (int i = 0; i < this.queues.size(); i++) {
			int end = tasks * (i + 1) / this.queues.size();
			Map<Integer, Long> its = producer
				.call("pace", Map.of("redis", this.redis, "queues", this.queues.get(i), "tasks", end - first,
						"gap_micros", gapMicros, "first", first))
				.moments("sent");
			// The first one opens the connections of the producer
			its.remove(first);
			sent.putAll(its);
			first = end;
		}
		Answer await = server.peer().call("await", Map.of("tasks", tasks, "timeout_ms", 30_000));
		Map<Integer, Long> starts = server.peer().call("starts", Map.of()).moments("starts");
		long doubled = server.peer().call("stop", Map.of()).number("doubled");
		if (await.number("seen") != tasks || doubled != 0) {
			this.report.error(server.label() + " has seen " + await.text("seen") + " of " + tasks + " tasks, " + doubled
					+ " more than once");
		}
		List<Double> millis = new ArrayList<>();
		sent.forEach((number, moment) -> {
			if (starts.get(number) > 0) {
				millis.add((starts.get(number) - moment) / 1000.0);
			}
		});
		return millis;
	}

}
