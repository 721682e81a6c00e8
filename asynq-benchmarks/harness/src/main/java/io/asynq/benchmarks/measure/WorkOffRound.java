package io.asynq.benchmarks.measure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.asynq.benchmarks.process.Answer;
import io.asynq.benchmarks.process.PeerProcess;

/**
 * Processes a backlog that is complete when the worker starts, and checks that each task
 * ran once.
 */
final class WorkOffRound implements Comparison.Round {

	private static final int TIMEOUT_MILLIS = 180_000;

	private final Bench bench;

	private final String redis;

	private final Map<String, Object> settings;

	private final Map<String, List<Cost>> costs = new LinkedHashMap<>();

	private Answer last = new Answer(Map.of());

	WorkOffRound(Bench bench, String redis, Map<String, Object> settings) {
		this.bench = bench;
		this.redis = redis;
		this.settings = settings;
	}

	@Override
	public double run(Contender contender, int tasks) {
		fill(contender, tasks);
		PeerProcess peer = contender.peer();
		Map<String, Object> serve = new LinkedHashMap<>(this.settings);
		serve.put("redis", this.redis);
		serve.put("queues", Backlog.QUEUE);
		serve.put("tasks", tasks);
		serve.putAll(contender.settings());
		// Filling the queue is no cost of the worker
		long commands = this.bench.redis().commands();
		long redisCpu = this.bench.redis().cpuNanos();
		peer.call("serve", serve);
		this.last = peer.call("await", Map.of("tasks", tasks, "timeout_ms", TIMEOUT_MILLIS));
		// The end is not when the handler returns but when its outcome is written
		long written = contender.speaksAsynq() && this.last.number("seen") == tasks
				? this.bench.backlog().awaitProcessed(tasks, queues(contender)) : 0;
		Answer stop = peer.call("stop", Map.of());
		redisCpu = this.bench.redis().cpuNanos() - redisCpu;
		commands = this.bench.redis().commands() - commands;
		check(contender, tasks, stop);
		this.costs.computeIfAbsent(contender.label(), (label) -> new ArrayList<>())
			.add(new Cost(this.last, redisCpu, commands, tasks));
		if (this.last.number("seen") == 0) {
			throw new IllegalStateException(contender.label() + " has seen none of " + tasks + " tasks");
		}
		return tasks * 1e9 / (this.last.number("elapsed_ns") + written);
	}

	void reportCosts(List<Contender> contenders) {
		int rounds = this.bench.plan().rounds();
		for (Contender contender : contenders) {
			List<Cost> all = this.costs.get(contender.label());
			List<Cost> counted = all.subList(all.size() - rounds, all.size());
			Cost.report(this.bench.report(), contender.label(), counted);
		}
	}

	Answer last() {
		return this.last;
	}

	private void fill(Contender contender, int tasks) {
		this.bench.backlog().clear();
		if (contender.speaksAsynq()) {
			this.bench.backlog().fill(tasks, queues(contender));
		}
		else {
			contender.peer()
				.call("enqueue",
						Map.of("redis", this.bench.redis().address(), "queues", Backlog.QUEUE, "tasks", tasks, "mode",
								"single", "threads", 8, "variant",
								contender.settings().getOrDefault("variant", "default")));
		}
	}

	private void check(Contender contender, int tasks, Answer stop) {
		long seen = this.last.number("seen");
		long doubled = stop.number("doubled");
		if (seen != tasks || doubled != 0) {
			this.bench.report()
				.error(contender.label() + " has seen " + seen + " of " + tasks + " tasks, " + doubled
						+ " more than once");
		}
		else if (contender.speaksAsynq()) {
			String left = this.bench.backlog().leftOvers(tasks, queues(contender));
			if (!left.isEmpty()) {
				this.bench.report().error(contender.label() + ": " + left);
			}
		}
	}

	private static List<String> queues(Contender contender) {
		return List.of(contender.settings().getOrDefault("queues", Backlog.QUEUE).split(","));
	}

}
