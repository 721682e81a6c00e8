package io.asynq.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.worker.Attempt;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.awaitility.Awaitility.await;

/**
 * Servers of three queues with weights that note in which order they make attempts.
 * Handler threads overtake each other as the machine likes, attempts do not.
 */
final class WeightedServers {

	static final Map<String, Integer> WEIGHTS = Map.of("critical", 6, "default", 3, "low", 1);

	private final RedisConnectionFactory factory;

	WeightedServers(RedisConnectionFactory factory) {
		this.factory = factory;
	}

	/**
	 * Has all queues filled, and worked off in part.
	 * @param tasks of how many tasks to return the order
	 */
	List<Taken> workOff(int servers, Duration handling, int concurrency, int tasks) throws Exception {
		Queue<Taken> taken = new ConcurrentLinkedQueue<>();
		List<TestServer> all = new ArrayList<>();
		try {
			for (int i = 0; i < servers; i++) {
				all.add(server(i, handling, concurrency, taken));
			}
			WEIGHTS.keySet().forEach((queue) -> fill(all.get(0), queue, 0, tasks * 8 / 10));
			for (TestServer server : all) {
				server.start();
			}
			await().until(() -> taken.size() >= tasks);
		}
		finally {
			all.forEach(TestServer::close);
		}
		return taken.stream().limit(tasks).toList();
	}

	private TestServer server(int number, Duration handling, int concurrency, Queue<Taken> taken) {
		return server(number, handling, concurrency, taken, () -> {
		});
	}

	TestServer server(int number, Duration handling, int concurrency, Queue<Taken> taken, Runnable whenTaken) {
		return TestServer.builder(this.factory)
			.options((options) -> options.queue("critical", 6)
				.queue("default", 3)
				.queue("low", 1)
				.concurrency(concurrency))
			.handling((task, context) -> {
				taken.add(new Taken(number, ((Attempt) context).sequence(), context.queue()));
				whenTaken.run();
				LockSupport.parkNanos(handling.toNanos());
				return null;
			});
	}

	static void fill(TestServer server, String queue, int from, int to) {
		server.broker.enqueuer()
			.enqueueAll(IntStream.range(from, to)
				.mapToObj((i) -> new EnqueueRequest(RedisState.message(queue, "t" + i).build(), new Placement.Pending(),
						null))
				.toList());
	}

	static List<String> queues(Collection<Taken> taken) {
		return taken.stream().sorted(Comparator.comparingLong(Taken::sequence)).map(Taken::queue).toList();
	}

	static double worst(List<String> sequence, int window) {
		return worst(sequence, window, WEIGHTS);
	}

	/**
	 * Finds the largest deviation of a share from its weight in any window.
	 */
	static double worst(List<String> sequence, int window, Map<String, Integer> weights) {
		int sum = weights.values().stream().mapToInt(Integer::intValue).sum();
		double worst = 0;
		for (Map.Entry<String, Integer> queue : weights.entrySet()) {
			int seen = 0;
			for (int i = 0; i < sequence.size(); i++) {
				seen += sequence.get(i).equals(queue.getKey()) ? 1 : 0;
				seen -= (i >= window && sequence.get(i - window).equals(queue.getKey())) ? 1 : 0;
				if (i >= window - 1) {
					worst = Math.max(worst, Math.abs(seen * sum - window * queue.getValue()) / (double) sum);
				}
			}
		}
		return worst;
	}

	/**
	 * @param sequence the place of its attempt among those of its server
	 */
	record Taken(int server, long sequence, String queue) {
	}

}
