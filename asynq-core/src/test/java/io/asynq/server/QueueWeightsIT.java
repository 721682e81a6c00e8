package io.asynq.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import io.asynq.broker.message.EnqueueRequest;
import io.asynq.broker.message.Placement;
import io.asynq.broker.redis.RedisState;
import io.asynq.server.attempt.Attempt;
import io.asynq.server.fetch.QueueSelectorTests;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The shares of queues in tasks that start. Handler threads overtake each other as the
 * machine likes, so the order is that in which attempts are made. A call for several
 * queues is divided into 32 shares, so that the bounds are narrower than those of the
 * rule: see {@link QueueSelectorTests}.
 */
@ExtendWith(RedisExtension.class)
@Timeout(300)
class QueueWeightsIT {

	private static final int WINDOW = 1000;

	private static final Map<String, Integer> WEIGHTS = Map.of("critical", 6, "default", 3, "low", 1);

	private final RedisConnectionFactory factory;

	QueueWeightsIT(RedisConnectionFactory factory) {
		this.factory = factory;
	}

	@Test
	void weightsHoldOverTenThousandTasks() throws Exception {
		List<String> taken = queues(workOff(1, Duration.ZERO, 10, 10_000));
		assertThat(worst(taken, taken.size())).isLessThanOrEqualTo(10);
		assertThat(worst(taken, WINDOW)).isLessThanOrEqualTo(10);
	}

	/**
	 * Each keeps to the weights by itself; how they interleave is random.
	 */
	@Test
	void weightsHoldOverAnyThousandTasksOfTwoServers() throws Exception {
		List<Taken> taken = workOff(2, Duration.ZERO, 10, 10_000);
		for (int i = 0; i < 2; i++) {
			int server = i;
			List<String> its = queues(taken.stream().filter((one) -> one.server() == server).toList());
			assertThat(worst(its, WINDOW)).as("of one server").isLessThanOrEqualTo(10);
		}
		assertThat(worst(queues(taken), WINDOW)).as("of both").isLessThanOrEqualTo(20);
	}

	@Test
	void weightsHoldOverAnyThousandLongTasksInManySlots() throws Exception {
		List<String> taken = queues(workOff(1, Duration.ofMillis(50), 64, 4000));
		assertThat(worst(taken, taken.size())).isLessThanOrEqualTo(10);
		assertThat(worst(taken, WINDOW)).isLessThanOrEqualTo(10);
	}

	/**
	 * The share of an empty queue is split by weight; once refilled it gets its share
	 * again, and not more.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 10, 64 })
	void weightsHoldAmongNonEmptyQueues(int concurrency) throws Exception {
		Queue<Taken> taken = new ConcurrentLinkedQueue<>();
		StringRedisTemplate redis = new StringRedisTemplate(this.factory);
		// Enqueued by the server itself: a late test would find the other queues empty
		AtomicBoolean full = new AtomicBoolean();
		Runnable filling = () -> {
			if (!full.get() && taken.size() >= 3000 && full.compareAndSet(false, true)) {
				redis.delete("asynq:{critical}:paused");
			}
		};
		try (TestServer server = server(0, Duration.ZERO, concurrency, taken, filling)) {
			// A queue that is filled while being processed might run empty meanwhile
			redis.opsForValue().set("asynq:{critical}:paused", "1");
			fill(server, "critical", 0, 6000);
			fill(server, "default", 0, 24_000);
			fill(server, "low", 0, 8000);
			server.start();
			await().until(() -> count(taken, "critical") >= 6000);
		}
		List<String> all = queues(taken);
		int filled = all.indexOf("critical");
		assertThat(worst(all.subList(0, filled), WINDOW, Map.of("default", 3, "low", 1))).isLessThanOrEqualTo(10);
		assertThat(worst(all.subList(filled, Math.min(filled + 5000, all.size())), WINDOW)).isLessThanOrEqualTo(16);
	}

	private List<Taken> workOff(int servers, Duration handling, int concurrency, int tasks) throws Exception {
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

	private TestServer server(int number, Duration handling, int concurrency, Queue<Taken> taken, Runnable whenTaken) {
		return TestServer.builder(this.factory)
			.options((options) -> options.queue("critical", 6)
				.queue("default", 3)
				.queue("low", 1)
				.concurrency(concurrency))
			.handling((task, context) -> {
				taken.add(new Taken(number, ((Attempt) context).times().sequence(), context.queue()));
				whenTaken.run();
				LockSupport.parkNanos(handling.toNanos());
				return null;
			});
	}

	private static void fill(TestServer server, String queue, int from, int to) {
		server.broker.enqueuer()
			.enqueueAll(IntStream.range(from, to)
				.mapToObj((i) -> new EnqueueRequest(RedisState.message(queue, "t" + i).build(), new Placement.Pending(),
						null))
				.toList());
	}

	private static long count(Collection<Taken> taken, String queue) {
		return taken.stream().filter((one) -> one.queue().equals(queue)).count();
	}

	private static List<String> queues(Collection<Taken> taken) {
		return taken.stream().sorted(Comparator.comparingLong(Taken::sequence)).map(Taken::queue).toList();
	}

	private static double worst(List<String> sequence, int window) {
		return worst(sequence, window, WEIGHTS);
	}

	/**
	 * Finds the largest deviation of a share from its weight in any window.
	 */
	private static double worst(List<String> sequence, int window, Map<String, Integer> weights) {
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
	private record Taken(int server, long sequence, String queue) {
	}

}
