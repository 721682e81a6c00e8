package io.asynq.benchmarks.measure;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.asynq.benchmarks.process.Answer;
import io.asynq.benchmarks.report.Figure;
import redis.clients.jedis.Jedis;

/** Enqueueing. */
final class Enqueue {

	private Enqueue() {
	}

	static void run(Bench bench) {
		single(bench);
		many(bench);
		alone(bench);
		batch(bench);
		if (bench.plan().full()) {
			others(bench);
		}
	}

	private static void single(Bench bench) {
		bench.report().heading("Enqueueing one by one, 8 threads");
		List<Contender> contenders = new ArrayList<>(
				List.of(Contender.ours(bench), Contender.ceiling(bench), Contender.go(bench)));
		if (bench.plan().full()) {
			contenders.add(Contender.oursTuned(bench));
			contenders.add(Contender.rival(bench, "rqueue", false));
			contenders.add(Contender.rival(bench, "redisson", false));
			contenders.add(Contender.rival(bench, "dbscheduler", false));
		}
		List<Figure> figures = compare(bench, 8, "single", "pending", contenders);
		bench.report().ratio("enqueue-single-vs-jedis", figures.get(0), figures.get(1), 1.4);
	}

	private static void many(Bench bench) {
		bench.report().heading("Enqueueing one by one, 64 threads");
		List<Contender> contenders = new ArrayList<>(List.of(Contender.ours(bench), Contender.ceiling(bench)));
		if (bench.plan().full()) {
			contenders.add(Contender.oursApart(bench));
			contenders.add(Contender.go(bench));
		}
		Round round = round(bench, 64, "single", "pending");
		List<Figure> figures = compare(bench, "enqueue-64-threads", round, contenders);
		bench.report().ratio("enqueue-64-threads-vs-jedis", figures.get(0), figures.get(1), 2.2);
		bench.report().limit("enqueue-64-threads-connections", round.connections(contenders.get(0)), 4);
	}

	private static void alone(Bench bench) {
		bench.report().heading("Enqueueing one by one, one thread");
		List<Figure> figures = compare(bench, "enqueue-alone", round(bench, 1, "single", "pending"),
				List.of(Contender.ours(bench), Contender.oursApart(bench)));
		bench.report().ratio("enqueue-alone-vs-not-shared", figures.get(0), figures.get(1), 0.95);
	}

	private static void batch(Bench bench) {
		bench.report().heading("Enqueueing in batches of 64, 4 threads");
		List<Figure> figures = compare(bench, 4, "batch", "pending",
				List.of(Contender.ours(bench), Contender.ceiling(bench), Contender.go(bench)));
		bench.report().ratio("enqueue-batch-vs-ceiling", figures.get(0), figures.get(1), 0.7);
		bench.report().ratio("enqueue-batch-vs-go-pipeline", figures.get(0), figures.get(2), 1.5);
	}

	private static void others(Bench bench) {
		bench.report().heading("Enqueueing unique tasks one by one, 8 threads");
		compare(bench, 8, "unique", "pending", List.of(Contender.ours(bench), Contender.go(bench)));
		bench.report().heading("Enqueueing scheduled tasks one by one, 8 threads");
		compare(bench, 8, "scheduled", "scheduled", List.of(Contender.ours(bench), Contender.go(bench)));
	}

	private static List<Figure> compare(Bench bench, int threads, String mode, String container,
			List<Contender> contenders) {
		return compare(bench, "enqueue-" + mode, round(bench, threads, mode, container), contenders);
	}

	private static List<Figure> compare(Bench bench, String name, Round round, List<Contender> contenders) {
		List<Figure> figures = new Comparison(bench, name, "tasks/s", round).run(contenders);
		round.reportCosts(contenders);
		return figures;
	}

	private static Round round(Bench bench, int threads, String mode, String container) {
		return new Round(bench, Map.of("mode", mode, "threads", threads, "batch", 64), container);
	}

	/** Enqueues, and checks that every task arrived once. */
	static final class Round implements Comparison.Round {

		private final Bench bench;

		private final Map<String, Object> settings;

		private final String container;

		private final Map<String, List<Double>> redisMicros = new HashMap<>();

		private final Map<String, List<Double>> connections = new HashMap<>();

		Round(Bench bench, Map<String, Object> settings, String container) {
			this.bench = bench;
			this.settings = settings;
			this.container = container;
		}

		@Override
		public double run(Contender contender, int tasks) {
			this.bench.backlog().clear();
			Map<String, Object> enqueue = contender.with(this.settings);
			enqueue.put("redis", this.bench.redis().address());
			enqueue.put("queues", Backlog.QUEUE);
			enqueue.put("tasks", tasks);
			long redisCpu = this.bench.redis().cpuNanos();
			long connections = this.bench.redis().connections();
			Answer answer = contender.peer().call("enqueue", enqueue);
			redisCpu = this.bench.redis().cpuNanos() - redisCpu;
			this.redisMicros.computeIfAbsent(contender.label(), (label) -> new ArrayList<>())
				.add(redisCpu / 1000.0 / tasks);
			this.connections.computeIfAbsent(contender.label(), (label) -> new ArrayList<>())
				.add((double) this.bench.redis().connections() - connections);
			if (contender.speaksAsynq()) {
				check(contender, tasks);
			}
			return tasks * 1e9 / answer.number("elapsed_ns");
		}

		void reportCosts(List<Contender> contenders) {
			for (Contender contender : contenders) {
				this.bench.figure("Redis CPU per task", contender.label() + ": Redis CPU per task", "µs", 0,
						last(this.redisMicros, contender));
			}
		}

		/** In each of the last rounds, as many as it used at the same time. */
		Figure connections(Contender contender) {
			return new Figure("connections", contender.label() + ": connections", "", 0,
					last(this.connections, contender));
		}

		private List<Double> last(Map<String, List<Double>> values, Contender contender) {
			List<Double> all = values.get(contender.label());
			return all.subList(all.size() - this.bench.plan().rounds(), all.size());
		}

		private void check(Contender contender, int tasks) {
			Jedis jedis = this.bench.redis().jedis();
			String key = Backlog.key(this.container);
			long stored = "pending".equals(this.container) ? jedis.llen(key) : jedis.zcard(key);
			// Ids are unique, so as many hashes as tasks means each once; besides there
			// are
			// the container, the set of queues, and locks
			long keys = tasks * ("unique".equals(this.settings.get("mode")) ? 2L : 1L) + 2;
			if (stored != tasks || jedis.dbSize() != keys) {
				this.bench.report()
					.error(contender.label() + " has stored " + stored + " of " + tasks + " tasks in " + jedis.dbSize()
							+ " keys instead of " + keys);
			}
		}

	}

}
