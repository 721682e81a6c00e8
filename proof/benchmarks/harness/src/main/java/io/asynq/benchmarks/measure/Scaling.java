package io.asynq.benchmarks.measure;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.asynq.benchmarks.process.PeerProcess;
import io.asynq.benchmarks.report.Spread;

/** The total rate of processes on one queue, and how evenly they share. */
final class Scaling {

	private Scaling() {
	}

	static void run(Bench bench) {
		for (int workMicros : new int[] { 0, 1000 }) {
			bench.report()
				.heading("Server processes on one queue, concurrency 10 each, handlers of " + workMicros + " µs");
			for (int processes : new int[] { 1, 2, 4 }) {
				measure(bench, processes, workMicros);
			}
		}
	}

	private static void measure(Bench bench, int processes, int workMicros) {
		List<PeerProcess> peers = new ArrayList<>();
		for (int i = 0; i < processes; i++) {
			peers.add(bench.peers().asynq(i));
		}
		int tasks = (workMicros == 0) ? 150_000 : 20_000 * processes;
		List<Double> rates = new ArrayList<>();
		List<Double> shares = new ArrayList<>();
		for (int i = -1; i < bench.plan().rounds(); i++) {
			bench.backlog().clear();
			bench.backlog().pause();
			bench.backlog().fill(tasks);
			peers.forEach((peer) -> bench.serve(peer, tasks, Map.of("work_micros", workMicros)));
			long start = System.nanoTime();
			bench.backlog().resume();
			bench.backlog().awaitProcessed(tasks);
			double rate = tasks * 1e9 / (System.nanoTime() - start);
			List<Double> seen = new ArrayList<>();
			Set<Integer> all = new HashSet<>();
			for (PeerProcess peer : peers) {
				seen.add((double) peer.call("await", Map.of("tasks", tasks, "timeout_ms", 0)).number("seen"));
				peer.call("starts", Map.of()).moments("starts").forEach((number, moment) -> {
					if (moment > 0) {
						all.add(number);
					}
				});
				check(bench, peer.call("stop", Map.of()).number("doubled"));
			}
			check(bench, tasks, seen, all.size());
			if (i >= 0) {
				rates.add(rate);
				shares.add(100 * Spread.of(seen).min() / tasks);
			}
		}
		String label = processes + ((processes == 1) ? " process" : " processes");
		bench.figure("scaling", label, "tasks/s", tasks, rates);
		if (processes > 1) {
			bench.figure("scaling", label + ", smallest share", "%", tasks, shares);
		}
	}

	private static void check(Bench bench, long doubled) {
		if (doubled != 0) {
			bench.report().error("A process has seen " + doubled + " tasks more than once");
		}
	}

	private static void check(Bench bench, int tasks, List<Double> seen, int different) {
		double sum = seen.stream().mapToDouble(Double::doubleValue).sum();
		String left = bench.backlog().leftOvers(tasks);
		if (sum != tasks || different != tasks || !left.isEmpty()) {
			bench.report()
				.error("Together they have seen " + (long) sum + " tasks, " + different + " different ones of " + tasks
						+ "; " + left);
		}
	}

}
