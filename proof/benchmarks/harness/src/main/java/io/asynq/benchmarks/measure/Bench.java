package io.asynq.benchmarks.measure;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;

import io.asynq.benchmarks.process.Answer;
import io.asynq.benchmarks.process.Launcher;
import io.asynq.benchmarks.process.PeerProcess;
import io.asynq.benchmarks.process.RedisProcess;
import io.asynq.benchmarks.report.Figure;
import io.asynq.benchmarks.report.Report;

/** What all measures need. */
public record Bench(Plan plan, RedisProcess redis, Launcher peers, Backlog backlog, Report report) {

	private static final int TIMEOUT_MILLIS = 180_000;

	/** Takes the value of each round, after some that do not count. */
	List<Double> rounds(int warmUp, DoubleSupplier round) {
		List<Double> values = new ArrayList<>();
		for (int i = -warmUp; i < this.plan.rounds(); i++) {
			double value = round.getAsDouble();
			if (i >= 0) {
				values.add(value);
			}
		}
		return values;
	}

	Figure figure(String name, String label, String unit, int tasks, List<Double> rounds) {
		Figure figure = new Figure(name, label, unit, tasks, rounds);
		this.report.figure(figure);
		return figure;
	}

	/** Starts a worker for the default queue, unless the settings name others. */
	void serve(Contender contender, int tasks, Map<String, ?> settings) {
		serve(contender.peer(), tasks, contender.with(settings));
	}

	void serve(PeerProcess peer, int tasks, Map<String, ?> settings) {
		Map<String, Object> all = new HashMap<>(
				Map.of("redis", this.redis.address(), "queues", Backlog.QUEUE, "concurrency", 10, "tasks", tasks));
		all.putAll(settings);
		peer.call("serve", all);
	}

	static Answer await(PeerProcess peer, int tasks) {
		return peer.call("await", Map.of("tasks", tasks, "timeout_ms", TIMEOUT_MILLIS));
	}

	/**
	 * Takes how long after the given moments tasks started, in milliseconds, and stops
	 * the worker.
	 */
	List<Double> late(Contender contender, int tasks, Map<Integer, Long> moments) {
		Answer await = contender.peer().call("await", Map.of("tasks", tasks, "timeout_ms", 30_000));
		Map<Integer, Long> starts = contender.peer().call("starts", Map.of()).moments("starts");
		stop(contender, await, tasks);
		List<Double> millis = new ArrayList<>();
		moments.forEach((number, moment) -> {
			if (starts.get(number) > 0) {
				millis.add((starts.get(number) - moment) / 1000.0);
			}
		});
		return millis;
	}

	/** Stops a worker, which must have seen each task once. */
	boolean stop(Contender contender, Answer await, int tasks) {
		long doubled = contender.peer().call("stop", Map.of()).number("doubled");
		boolean exact = await.number("seen") == tasks && doubled == 0;
		if (!exact) {
			this.report.error(contender.label() + " has seen " + await.text("seen") + " of " + tasks + " tasks, "
					+ doubled + " more than once");
		}
		return exact;
	}

	void checkLeftOvers(String who, String left) {
		if (!left.isEmpty()) {
			this.report.error(who + ": " + left);
		}
	}

}
