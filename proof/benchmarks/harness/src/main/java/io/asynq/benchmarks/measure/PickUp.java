package io.asynq.benchmarks.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

import io.asynq.benchmarks.process.PeerProcess;
import io.asynq.benchmarks.report.Figure;
import io.asynq.benchmarks.report.Spread;

/** In an idle server, where tasks arrive one by one. */
final class PickUp {

	private static final double P50_LIMIT_MILLIS = 2;

	static final double P99_LIMIT_MILLIS = 10;

	static final int GAP_MICROS = 5_000;

	private PickUp() {
	}

	static void run(Bench bench) {
		bench.report().heading("From enqueue to the start of the handler, idle server");
		Round round = Round.of(bench);
		int tasks = tasks(bench);
		limits(bench, round, "pickup-java", Contender.ours(bench), bench.peers().asynq(1), tasks);
		limits(bench, round, "pickup-go", Contender.ours(bench), bench.peers().go(), tasks);
		limits(bench, round, "pickup-lettuce-java", Contender.oursOverLettuce(bench), bench.peers().asynq(1), tasks);
		limits(bench, round, "pickup-lettuce-go", Contender.oursOverLettuce(bench), bench.peers().go(), tasks);
		if (!bench.plan().isQuick()) {
			// Go polls once per second, so that few samples take long
			round.figures("pickup-by-go-server", Contender.go(bench), bench.peers().asynq(1), 20, 150_000);
		}
		if (bench.plan().full()) {
			round.figures("pickup-by-rqueue", Contender.rival(bench, "rqueue", false), bench.peers().rival("rqueue"),
					50, 25_000);
			round.figures("pickup-by-redisson", Contender.rival(bench, "redisson", false),
					bench.peers().rival("redisson"), 50, 25_000);
		}
	}

	static int tasks(Bench bench) {
		return bench.plan().isQuick() ? 200 : 400;
	}

	private static void limits(Bench bench, Round round, String name, Contender server, PeerProcess producer,
			int tasks) {
		List<Figure> figures = round.figures(name, server, producer, tasks, GAP_MICROS);
		bench.report().limit(name + "-p50", figures.get(0), P50_LIMIT_MILLIS);
		bench.report().limit(name + "-p99", figures.get(1), P99_LIMIT_MILLIS);
	}

	/** Tasks that arrive one by one at an idle server, in turn in each of its queues. */
	record Round(Bench bench, String redis, Backlog backlog, List<String> queues) {

		private static final Duration SETTLING = Duration.ofMillis(1500);

		static Round of(Bench bench) {
			return new Round(bench, bench.redis().address(), bench.backlog(), List.of(Backlog.QUEUE));
		}

		/** Medians and 99th percentiles of all rounds but the first. */
		List<Figure> figures(String name, Contender server, PeerProcess producer, int tasks, int gapMicros) {
			List<Double> medians = new ArrayList<>();
			List<Double> p99s = new ArrayList<>();
			for (int i = -1; i < this.bench.plan().rounds(); i++) {
				List<Double> millis = run(server, producer, tasks, gapMicros);
				if (i >= 0) {
					medians.add(Spread.percentile(millis, 50));
					p99s.add(Spread.percentile(millis, 99));
				}
			}
			String label = server.label() + ", by " + producer.name();
			return List.of(this.bench.figure(name, label + ", p50", "ms", tasks, medians),
					this.bench.figure(name, label + ", p99", "ms", tasks, p99s));
		}

		List<Double> run(Contender server, PeerProcess producer, int tasks, int gapMicros) {
			this.backlog.clear();
			this.bench.serve(server, tasks, Map.of("redis", this.redis, "queues", String.join(",", this.queues)));
			// Until then it is not idle, but starting
			LockSupport.parkNanos(SETTLING.toNanos());
			Map<Integer, Long> sent = new HashMap<>();
			int first = 0;
			for (int i = 0; i < this.queues.size(); i++) {
				int end = tasks * (i + 1) / this.queues.size();
				Map<Integer, Long> its = producer
					.call("pace",
							Map.of("redis", this.redis, "queues", this.queues.get(i), "tasks", end - first,
									"gap_micros", gapMicros, "first", first))
					.moments("sent");
				// The first one opens the connections of the producer
				its.remove(first);
				sent.putAll(its);
				first = end;
			}
			return this.bench.late(server, tasks, sent);
		}

	}

}
