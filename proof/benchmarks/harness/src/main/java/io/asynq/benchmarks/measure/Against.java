package io.asynq.benchmarks.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

import io.asynq.benchmarks.process.PeerProcess;
import io.asynq.benchmarks.report.Figure;
import io.asynq.benchmarks.report.Pairs;
import io.asynq.benchmarks.report.Spread;
import io.asynq.test.redis.Toxiproxy;

/** Compares this checkout with another one in pairs. */
public final class Against {

	/** The measures of which it takes ratios. */
	public static final List<String> MEASURES = List.of("workoff", "rtt", "handler-10ms", "enqueue", "pickup", "due",
			"idle");

	private static final int PICK_UPS = 400;

	private static final int GAP_MICROS = 5_000;

	private final int pairs;

	private final List<String> only;

	private final Map<String, List<Double>> ratios = new LinkedHashMap<>();

	public Against(int pairs, List<String> only) {
		this.pairs = pairs;
		this.only = only;
	}

	public void run(Bench bench) {
		try (Toxiproxy proxy = Toxiproxy.start(bench.redis().address())) {
			proxy.delay(Duration.ofMillis(1));
			for (int i = 0; i < this.pairs; i++) {
				bench.report().heading("Pair " + (i + 1) + " of " + this.pairs);
				bench.peers().endBoth();
				new Pair(bench, i % 2 == 0).run(proxy);
			}
		}
		this.ratios.forEach((name, values) -> bench.report().pairs(new Pairs(name, values)));
	}

	/** The two checkouts, freshly started. */
	private final class Pair {

		private final Bench bench;

		private final Contender ours;

		private final List<Contender> contenders;

		Pair(Bench bench, boolean earlierFirst) {
			this.bench = bench;
			this.ours = Contender.ours(bench);
			Contender earlier = Contender.earlier(bench);
			this.contenders = earlierFirst ? List.of(earlier, this.ours) : List.of(this.ours, earlier);
		}

		void run(Toxiproxy proxy) {
			String redis = this.bench.redis().address();
			take("workoff", () -> workOff("workoff-c10", redis, Map.of("concurrency", 10)));
			take("rtt", () -> workOff("rtt1ms-c10", proxy.address(), Map.of("concurrency", 10)));
			take("rtt", () -> workOff("rtt1ms-c64", proxy.address(), Map.of("concurrency", 64)));
			take("handler-10ms",
					() -> workOff("handler-10ms", redis, Map.of("concurrency", 10, "work_micros", 10_000)));
			take("enqueue", () -> enqueue("single", 8));
			take("enqueue", () -> enqueue("batch", 4));
			take("pickup", () -> pickUp("pickup-java", this.bench.peers().asynq(1)));
			take("pickup", () -> pickUp("pickup-go", this.bench.peers().go()));
			take("due", this::due);
			take("idle", () -> better("idle-commands",
					(contender) -> median(Idle.measure(this.bench, contender).commands().rounds())));
		}

		private void take(String measure, Runnable comparison) {
			if (Against.this.only.isEmpty() || Against.this.only.contains(measure)) {
				comparison.run();
			}
		}

		private void workOff(String name, String redis, Map<String, Object> settings) {
			rate(name, new WorkOffRound(this.bench, redis, settings));
		}

		private void enqueue(String mode, int threads) {
			rate("enqueue-" + mode,
					new Enqueue.Round(this.bench, Map.of("mode", mode, "threads", threads, "batch", 64), "pending"));
		}

		private void rate(String name, Comparison.Round round) {
			List<Figure> figures = new Comparison(this.bench, name, "tasks/s", round).run(this.contenders);
			int index = this.contenders.indexOf(this.ours);
			add(name, median(figures.get(index).rounds()) / median(figures.get(1 - index).rounds()));
		}

		private void pickUp(String name, PeerProcess producer) {
			Map<Contender, List<List<Double>>> rounds = inTurns(
					(contender) -> PickUp.Round.of(this.bench).run(contender, producer, PICK_UPS, GAP_MICROS));
			for (int percentile : new int[] { 50, 99 }) {
				better(name + "-p" + percentile, (contender) -> median(
						rounds.get(contender).stream().map((round) -> Spread.percentile(round, percentile)).toList()));
			}
		}

		/**
		 * First a backlog: a new JVM still interprets its code, and hundreds of tasks
		 * that are due at once would measure that.
		 */
		private void due() {
			WorkOffRound backlog = new WorkOffRound(this.bench, this.bench.redis().address(),
					Map.of("concurrency", 10));
			this.contenders.forEach((contender) -> backlog.run(contender, this.bench.plan().warmUpTasks()));
			latency("due-scheduled-p99", (contender) -> DueTime.scheduled(this.bench, contender));
			latency("due-retry-p99", (contender) -> DueTime.retried(this.bench, contender));
		}

		private void latency(String name, Function<Contender, Double> round) {
			Map<Contender, List<Double>> rounds = inTurns(round);
			better(name, (contender) -> median(rounds.get(contender)));
		}

		private <T> Map<Contender, List<T>> inTurns(Function<Contender, T> round) {
			Map<Contender, List<T>> rounds = new LinkedHashMap<>();
			for (int i = 0; i < this.bench.plan().rounds(); i++) {
				for (Contender contender : this.contenders) {
					rounds.computeIfAbsent(contender, (key) -> new ArrayList<>()).add(round.apply(contender));
				}
			}
			return rounds;
		}

		private void better(String name, ToDoubleFunction<Contender> value) {
			Map<Contender, Double> values = new LinkedHashMap<>();
			this.contenders.forEach((contender) -> values.put(contender, value.applyAsDouble(contender)));
			double ours = values.remove(this.ours);
			add(name, values.values().iterator().next() / ours);
		}

		private void add(String name, double ratio) {
			Against.this.ratios.computeIfAbsent(name, (key) -> new ArrayList<>()).add(ratio);
			this.bench.report().note(String.format("ratio %-28s %.3f", name, ratio));
		}

		private static double median(List<Double> values) {
			return Spread.of(values).median();
		}

	}

}
