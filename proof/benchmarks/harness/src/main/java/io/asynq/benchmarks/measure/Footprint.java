package io.asynq.benchmarks.measure;

import java.util.Map;

import io.asynq.benchmarks.process.PeerProcess;
import io.asynq.benchmarks.report.Figure;

/** How much memory of Redis a pending task takes. */
final class Footprint {

	private static final int TASKS = 20_000;

	private static final int WARM_UP = 100;

	private Footprint() {
	}

	static void run(Bench bench) {
		bench.report().heading("Redis memory per pending task, payload of 64 bytes");
		// Redis allocates a histogram of 50 KB at the first call of each command
		bench.redis().jedis().configSet("latency-tracking", "no");
		Figure ours = measure(bench, Contender.ours(bench));
		Figure go = measure(bench, Contender.go(bench));
		bench.report().ratio("bytes-per-task-go-over-ours", go, ours, 1);
		if (bench.plan().full()) {
			measure(bench, Contender.rival(bench, "rqueue", false));
			measure(bench, Contender.rival(bench, "redisson", false));
		}
		bench.redis().jedis().configSet("latency-tracking", "yes");
	}

	private static Figure measure(Bench bench, Contender contender) {
		return bench.figure("footprint", contender.label(), "bytes", TASKS, bench.rounds(0, () -> {
			bench.backlog().clear();
			// The first call loads scripts and writes what exists only once
			enqueue(bench, contender.peer(), 0, WARM_UP);
			long before = bench.redis().settledMemory();
			enqueue(bench, contender.peer(), WARM_UP, TASKS);
			double bytes = Math.round((double) (bench.redis().settledMemory() - before) / TASKS);
			check(bench, contender);
			return bytes;
		}));
	}

	private static void check(Bench bench, Contender contender) {
		long stored = bench.redis().jedis().llen(Backlog.key("pending"));
		if (contender.speaksAsynq() && stored != TASKS + WARM_UP) {
			bench.report().error(contender.label() + " has stored " + stored + " of " + (TASKS + WARM_UP) + " tasks");
		}
	}

	private static void enqueue(Bench bench, PeerProcess peer, int first, int tasks) {
		peer.call("enqueue", Map.of("redis", bench.redis().address(), "queues", Backlog.QUEUE, "tasks", tasks, "first",
				first, "mode", "single", "threads", 4));
	}

}
