package io.asynq.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import io.asynq.broker.EnqueueRequest;
import io.asynq.broker.Placement;
import io.asynq.broker.redis.RedisState;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Shares of queues in what is worked off.
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
		List<String> sequence = workOff(1, Duration.ZERO, 10, 10_000);
		assertThat(worst(sequence, sequence.size())).isLessThanOrEqualTo(1);
		assertThat(worst(sequence, WINDOW)).isLessThanOrEqualTo(2);
	}

	/**
	 * Tasks are taken within 2 points; handlers of two servers overtake each other.
	 */
	@Test
	void weightsHoldOverAnyThousandTasksOfTwoServers() throws Exception {
		assertThat(worst(workOff(2, Duration.ZERO, 10, 10_000), WINDOW)).isLessThanOrEqualTo(2.5);
	}

	/**
	 * A fetch of 64 begins queue by queue, which alone may be 2.6 points at the edges of
	 * a thousand tasks.
	 */
	@Test
	void weightsHoldOverAnyThousandLongTasksInManySlots() throws Exception {
		List<String> sequence = workOff(1, Duration.ofMillis(50), 64, 4000);
		assertThat(worst(sequence, sequence.size())).isLessThanOrEqualTo(1);
		assertThat(worst(sequence, WINDOW)).isLessThanOrEqualTo(3);
	}

	/**
	 * What one queue leaves is shared by weight, and it has its share again, not more,
	 * when it has tasks again.
	 */
	@Test
	void weightsHoldAmongTheQueuesThatHaveTasksWhileOneRunsEmptyAndFillsAgain() throws Exception {
		Queue<String> handled = new ConcurrentLinkedQueue<>();
		StringRedisTemplate redis = new StringRedisTemplate(this.factory);
		try (TestServer server = server(Duration.ZERO, 10, handled)) {
			// A queue that is filled while it is worked off might run empty meanwhile
			redis.opsForValue().set("asynq:{critical}:paused", "1");
			WEIGHTS.keySet().forEach((queue) -> fill(server, queue, 0, 6000));
			server.start();
			await().until(() -> handled.size() >= 3000);
			redis.delete("asynq:{critical}:paused");
			await().until(() -> count(handled, "critical") >= 6000);
		}
		List<String> all = List.copyOf(handled);
		int filled = all.indexOf("critical");
		assertThat(worst(all.subList(0, filled), WINDOW, Map.of("default", 3, "low", 1))).isLessThanOrEqualTo(2);
		assertThat(worst(all.subList(filled, Math.min(filled + 5000, all.size())), WINDOW)).isLessThanOrEqualTo(2);
	}

	private List<String> workOff(int servers, Duration handling, int concurrency, int tasks) throws Exception {
		Queue<String> handled = new ConcurrentLinkedQueue<>();
		List<TestServer> all = new ArrayList<>();
		try {
			for (int i = 0; i < servers; i++) {
				all.add(server(handling, concurrency, handled));
			}
			WEIGHTS.keySet().forEach((queue) -> fill(all.get(0), queue, 0, tasks * 8 / 10));
			for (TestServer server : all) {
				server.start();
			}
			await().until(() -> handled.size() >= tasks);
		}
		finally {
			all.forEach(TestServer::close);
		}
		return handled.stream().limit(tasks).toList();
	}

	private TestServer server(Duration handling, int concurrency, Queue<String> handled) {
		return TestServer.builder(this.factory)
			.options((options) -> options.queue("critical", 6)
				.queue("default", 3)
				.queue("low", 1)
				.concurrency(concurrency))
			.handling((task, context) -> {
				handled.add(context.queue());
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

	private static long count(Collection<String> handled, String queue) {
		return handled.stream().filter(queue::equals).count();
	}

	private static double worst(List<String> sequence, int window) {
		return worst(sequence, window, WEIGHTS);
	}

	/**
	 * Finds how far a share is from its weight in any window, in points.
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
					worst = Math.max(worst, Math.abs(100.0 * seen / window - 100.0 * queue.getValue() / sum));
				}
			}
		}
		return worst;
	}

}
