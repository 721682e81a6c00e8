package io.asynq.benchmarks.measure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

import io.asynq.benchmarks.process.Answer;

/** The backlog is complete when the worker starts. */
final class WorkOffRound implements Comparison.Round {

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
		Map<String, Object> serve = new LinkedHashMap<>(this.settings);
		serve.put("redis", this.redis);
		// Filling the queue is no cost of the worker
		long commands = this.bench.redis().commands();
		long redisCpu = this.bench.redis().cpuNanos();
		this.bench.serve(contender, tasks, serve);
		this.last = Bench.await(contender.peer(), tasks);
		// The end is not when the handler returns but when its outcome is written
		long written = contender.speaksAsynq() && this.last.number("seen") == tasks
				? this.bench.backlog().awaitProcessed(tasks, queues(contender)) : 0;
		boolean exact = this.bench.stop(contender, this.last, tasks);
		redisCpu = this.bench.redis().cpuNanos() - redisCpu;
		commands = this.bench.redis().commands() - commands;
		if (exact && contender.speaksAsynq()) {
			this.bench.checkLeftOvers(contender.label(), this.bench.backlog().leftOvers(tasks, queues(contender)));
		}
		this.costs.computeIfAbsent(contender.label(), (label) -> new ArrayList<>())
			.add(new Cost(this.last, redisCpu, commands, tasks));
		if (this.last.number("seen") == 0) {
			throw new IllegalStateException(contender.label() + " has seen none of " + tasks + " tasks");
		}
		return tasks * 1e9 / (this.last.number("elapsed_ns") + written);
	}

	void reportCosts(List<Contender> contenders) {
		for (Contender contender : contenders) {
			add(contender, "worker CPU per task", "µs", (cost) -> cost.worker.number("cpu_ns") / 1000.0);
			add(contender, "Redis CPU per task", "µs", (cost) -> cost.redisCpuNanos / 1000.0);
			add(contender, "Redis commands per task", "", (cost) -> (double) cost.commands);
			add(contender, "allocated per task", "bytes", (cost) -> (double) cost.worker.number("alloc_bytes"));
		}
	}

	private void add(Contender contender, String name, String unit, ToDoubleFunction<Cost> value) {
		List<Cost> all = this.costs.get(contender.label());
		this.bench.figure(name, contender.label() + ": " + name, unit, 0,
				all.subList(all.size() - this.bench.plan().rounds(), all.size())
					.stream()
					.map((cost) -> value.applyAsDouble(cost) / cost.tasks)
					.toList());
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

	private static List<String> queues(Contender contender) {
		return List.of(contender.settings().getOrDefault("queues", Backlog.QUEUE).split(","));
	}

	/** The resources that a round used. */
	private record Cost(Answer worker, long redisCpuNanos, long commands, int tasks) {

	}

}
