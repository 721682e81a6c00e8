package io.asynq.benchmarks.measure;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.asynq.benchmarks.process.Answer;
import io.asynq.benchmarks.report.Figure;
import redis.clients.jedis.Jedis;

/** Enqueues, and checks that every task arrived once. */
final class EnqueueRound implements Comparison.Round {

	private final Bench bench;

	private final Map<String, Object> settings;

	private final String container;

	private final Map<String, List<Double>> redisMicros = new HashMap<>();

	private final Map<String, List<Double>> connections = new HashMap<>();

	EnqueueRound(Bench bench, Map<String, Object> settings, String container) {
		this.bench = bench;
		this.settings = settings;
		this.container = container;
	}

	@Override
	public double run(Contender contender, int tasks) {
		this.bench.backlog().clear();
		Map<String, Object> enqueue = new LinkedHashMap<>(this.settings);
		enqueue.put("redis", this.bench.redis().address());
		enqueue.put("queues", Backlog.QUEUE);
		enqueue.put("tasks", tasks);
		enqueue.putAll(contender.settings());
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
			this.bench.report()
				.figure(new Figure("Redis CPU per task", contender.label() + ": Redis CPU per task", "µs", 0,
						last(this.redisMicros, contender)));
		}
	}

	/**
	 * Returns how many connections a contender has opened in each of the last rounds,
	 * which are as many as it used at the same time.
	 */
	Figure connections(Contender contender) {
		return new Figure("connections", contender.label() + ": connections", "", 0, last(this.connections, contender));
	}

	private List<Double> last(Map<String, List<Double>> values, Contender contender) {
		List<Double> all = values.get(contender.label());
		return all.subList(all.size() - this.bench.plan().rounds(), all.size());
	}

	private void check(Contender contender, int tasks) {
		Jedis jedis = this.bench.redis().jedis();
		String key = Backlog.key(this.container);
		long stored = "pending".equals(this.container) ? jedis.llen(key) : jedis.zcard(key);
		// Ids are unique, so as many hashes as tasks means each once; besides there are
		// the container, the set of queues, and locks
		long keys = tasks * ("unique".equals(this.settings.get("mode")) ? 2L : 1L) + 2;
		if (stored != tasks || jedis.dbSize() != keys) {
			this.bench.report()
				.error(contender.label() + " has stored " + stored + " of " + tasks + " tasks in " + jedis.dbSize()
						+ " keys instead of " + keys);
		}
	}

}
