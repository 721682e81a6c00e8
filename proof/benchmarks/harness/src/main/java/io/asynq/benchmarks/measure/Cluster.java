package io.asynq.benchmarks.measure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.asynq.benchmarks.process.Answer;
import io.asynq.benchmarks.process.ClusterProcesses;
import io.asynq.benchmarks.process.PeerProcess;
import io.asynq.benchmarks.report.Figure;

/**
 * What a task costs each master, because all processes share the cores of one machine.
 */
final class Cluster {

	private static final int QUEUES = 12;

	/** A master may take 15 % more for a task. */
	private static final double CPU_TARGET = 1 / 1.15;

	private static final double QUEUES_TARGET = 0.85;

	private Cluster() {
	}

	static void run(Bench bench) {
		try (ClusterProcesses cluster = ClusterProcesses.start(bench.redis().persistence());
				Backlog backlog = new Backlog(cluster)) {
			pickUp(bench, cluster, backlog);
			workOff(bench, cluster, backlog);
		}
	}

	private static void pickUp(Bench bench, ClusterProcesses cluster, Backlog backlog) {
		bench.report().heading("From enqueue to the start of the handler, idle server, cluster of three masters");
		PickUp.Round round = new PickUp.Round(bench, cluster.addresses(), backlog, cluster.queues(3));
		for (Contender server : List.of(Contender.ours(bench), Contender.oursOverLettuce(bench))) {
			String name = "cluster-pickup-" + server.settings().getOrDefault("driver", "jedis");
			limit(bench, round, name + "-java", server, bench.peers().asynq(1));
			limit(bench, round, name + "-go", server, bench.peers().go());
		}
	}

	private static void limit(Bench bench, PickUp.Round round, String name, Contender server, PeerProcess producer) {
		List<Figure> figures = round.figures(name, server, producer, PickUp.tasks(bench), PickUp.GAP_MICROS);
		bench.report().limit(name + "-p99", figures.get(1), PickUp.P99_LIMIT_MILLIS);
	}

	private static void workOff(Bench bench, ClusterProcesses cluster, Backlog backlog) {
		bench.report().heading("Working off backlogs in " + QUEUES + " queues and less, concurrency 64, three masters");
		List<String> queues = cluster.queues(QUEUES);
		int tasks = bench.plan().isQuick() ? 24_000 : 120_000;
		Side single = new Side(bench, bench.redis().address(), bench.backlog(),
				() -> List.of(bench.redis().cpuNanos()));
		Side three = new Side(bench, cluster.addresses(), backlog, cluster::cpuNanos);
		Side oneQueue = new Side(bench, cluster.addresses(), backlog, cluster::cpuNanos);
		Side threeQueues = new Side(bench, cluster.addresses(), backlog, cluster::cpuNanos);
		for (int i = -1; i < bench.plan().rounds(); i++) {
			single.run(queues, tasks, i >= 0);
			three.run(queues, tasks, i >= 0);
			oneQueue.run(cluster.queues(1), tasks, i >= 0);
			threeQueues.run(cluster.queues(3), tasks, i >= 0);
		}
		Figure one = single.report("single Redis");
		Figure each = three.report("three masters");
		bench.report().ratio("cluster-redis-cpu-vs-one", one, each, CPU_TARGET);
		Figure alone = oneQueue.rates("three masters, one queue");
		Figure several = threeQueues.rates("three masters, three queues");
		bench.report().figure(alone);
		bench.report().figure(several);
		bench.report().ratio("cluster-3-queues-vs-1", several, alone, QUEUES_TARGET);
	}

	/** One of those that are compared. */
	private static final class Side {

		private final Bench bench;

		private final String redis;

		private final Backlog backlog;

		private final Supplier<List<Long>> cpuNanos;

		private final List<Double> rates = new ArrayList<>();

		private final List<Double> worker = new ArrayList<>();

		private final List<Double> calls = new ArrayList<>();

		/** Of the master that needs most for each of its tasks, µs. */
		private final List<Double> micros = new ArrayList<>();

		Side(Bench bench, String redis, Backlog backlog, Supplier<List<Long>> cpuNanos) {
			this.bench = bench;
			this.redis = redis;
			this.backlog = backlog;
			this.cpuNanos = cpuNanos;
		}

		void run(List<String> queues, int tasks, boolean counts) {
			this.backlog.clear();
			this.backlog.fill(tasks, queues);
			PeerProcess peer = this.bench.peers().asynq(0);
			List<Long> before = this.cpuNanos.get();
			this.bench.serve(peer, tasks,
					Map.of("redis", this.redis, "queues", String.join(",", queues), "concurrency", 64));
			Answer await = Bench.await(peer, tasks);
			long written = this.backlog.awaitProcessed(tasks, queues);
			List<Long> after = this.cpuNanos.get();
			long doubled = peer.call("stop", Map.of()).number("doubled");
			String left = this.backlog.leftOvers(tasks, queues);
			if (await.number("seen") != tasks || doubled != 0 || !left.isEmpty()) {
				this.bench.report()
					.error(this.redis + " has seen " + await.text("seen") + " of " + tasks + " tasks, " + doubled
							+ " more than once " + left);
			}
			if (counts) {
				List<Double> each = new ArrayList<>();
				for (int i = 0; i < before.size(); i++) {
					each.add((after.get(i) - before.get(i)) / 1000.0 / (tasks / (double) before.size()));
				}
				this.micros.add(Collections.max(each));
				this.rates.add(tasks * 1e9 / (await.number("elapsed_ns") + written));
				this.calls.add(this.backlog.scriptCalls() / (double) tasks);
				this.worker.add(await.number("cpu_ns") / 1000.0 / tasks);
			}
		}

		Figure rates(String label) {
			return new Figure("cluster", label, "tasks/s", 0, this.rates);
		}

		Figure report(String label) {
			this.bench.report().figure(rates(label));
			Figure cpu = this.bench.figure("cluster", label + ": CPU of a master per task", "µs", 0, this.micros);
			this.bench.figure("cluster", label + ": worker CPU per task", "µs", 0, this.worker);
			this.bench.figure("cluster", label + ": scripts per task", "", 0, this.calls);
			return cpu;
		}

	}

}
