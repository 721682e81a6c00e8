package io.asynq.benchmarks.measure;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.asynq.benchmarks.report.Figure;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.worker.Due;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.Outcome;
import io.asynq.internal.worker.OutcomeResult;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.resps.Slowlog;

/** The longest script of each kind, as Redis measures it, blocks all others. */
final class LongActive {

	private static final int OTHERS = 50_000;

	private static final int BATCH = 256;

	private static final int FETCH = 64;

	private static final double MOST_MILLIS = 10;

	private LongActive() {
	}

	static void run(Bench bench) {
		bench.report().heading("The longest script while " + OTHERS + " tasks are active");
		JedisConnectionFactory connections = bench.redis().connect();
		try {
			RedisBroker broker = new RedisBroker(connections, Clock.systemUTC(), Duration.ofHours(1), (event) -> {
			});
			Map<String, List<Double>> longest = new LinkedHashMap<>();
			for (int i = 0; i < bench.plan().rounds(); i++) {
				round(bench, broker, longest);
			}
			longest.forEach((kind, millis) -> {
				Figure figure = bench.figure("long-active", kind, "ms", OTHERS, millis);
				bench.report().limit("long-active-" + kind.replace(' ', '-'), figure, MOST_MILLIS);
			});
		}
		finally {
			connections.destroy();
			bench.backlog().clear();
		}
	}

	private static void round(Bench bench, RedisBroker broker, Map<String, List<Double>> longest) {
		Jedis redis = bench.redis().jedis();
		bench.backlog().clear();
		bench.backlog().fill(OTHERS + BATCH);
		List<LeasedTask> tasks = new ArrayList<>();
		note(longest, "dequeue", longest(redis, () -> {
			while (tasks.size() < OTHERS + BATCH) {
				tasks.addAll(broker.dequeuer().dequeue(Backlog.QUEUE, FETCH).tasks());
			}
		}));
		// The first task taken is at one end of the list, the last one at the other
		note(longest, "outcomes of the oldest", ends(bench, broker, tasks.subList(0, BATCH)));
		note(longest, "outcomes of the youngest", ends(bench, broker, tasks.subList(OTHERS, OTHERS + BATCH)));
		note(longest, "outcomes in the middle", ends(bench, broker, tasks.subList(OTHERS / 2, OTHERS / 2 + BATCH)));
		List<LeasedTask> requeued = tasks.subList(OTHERS / 4, OTHERS / 4 + BATCH);
		note(longest, "requeue", longest(redis, () -> check(bench,
				broker.completer().report(requeued.stream().<Outcome>map(Outcome.Requeue::new).toList()))));
		Duration ahead = Duration.ofHours(2);
		note(longest, "recovery", longest(redis, () -> broker.upkeep()
			.claim(Backlog.QUEUE, broker.upkeep().ending(Backlog.QUEUE, ahead, ahead, 0, BATCH).leases())));
	}

	private static double ends(Bench bench, RedisBroker broker, List<LeasedTask> tasks) {
		List<Outcome> outcomes = tasks.stream()
			.<Outcome>map((task) -> new Outcome.Retry(task, "failed", Due.in(Duration.ofHours(1)), true))
			.toList();
		return longest(bench.redis().jedis(), () -> check(bench, broker.completer().report(outcomes)));
	}

	private static void check(Bench bench, List<OutcomeResult> results) {
		if (results.stream().anyMatch((result) -> result.status() != OutcomeResult.Status.APPLIED)) {
			bench.report().error("An outcome was not applied");
		}
	}

	private static double longest(Jedis redis, Runnable calls) {
		String before = redis.configGet("slowlog-log-slower-than").get("slowlog-log-slower-than");
		redis.configSet("slowlog-log-slower-than", "0");
		redis.configSet("slowlog-max-len", "2000");
		redis.slowlogReset();
		calls.run();
		redis.configSet("slowlog-log-slower-than", before);
		Stream<Slowlog> scripts = redis.slowlogGet(2000)
			.stream()
			.filter((entry) -> entry.getArgs().get(0).startsWith("EVAL"));
		return scripts.map(Slowlog::getExecutionTime).max(Comparator.naturalOrder()).orElse(0L) / 1000.0;
	}

	private static void note(Map<String, List<Double>> longest, String kind, double millis) {
		longest.computeIfAbsent(kind, (key) -> new ArrayList<>()).add(millis);
	}

}
