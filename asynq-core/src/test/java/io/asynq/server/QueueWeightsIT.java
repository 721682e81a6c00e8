package io.asynq.server;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import io.asynq.internal.worker.QueueSelectorTests;
import io.asynq.server.WeightedServers.Taken;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import static io.asynq.server.WeightedServers.fill;
import static io.asynq.server.WeightedServers.queues;
import static io.asynq.server.WeightedServers.worst;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The shares of queues in tasks that start. A call for several queues is divided into 32
 * shares, so that the bounds are narrower than those of the rule: see
 * {@link QueueSelectorTests}.
 */
@Tag("slow")
@ExtendWith(RedisExtension.class)
@Timeout(300)
class QueueWeightsIT {

	private static final int WINDOW = 1000;

	private final RedisConnectionFactory factory;

	private final WeightedServers servers;

	QueueWeightsIT(RedisConnectionFactory factory) {
		this.factory = factory;
		this.servers = new WeightedServers(factory);
	}

	@Test
	void weightsHoldOverTenThousandTasks() throws Exception {
		List<String> taken = queues(this.servers.workOff(1, Duration.ZERO, 10, 10_000));
		assertThat(worst(taken, taken.size())).isLessThanOrEqualTo(10);
		assertThat(worst(taken, WINDOW)).isLessThanOrEqualTo(10);
	}

	/**
	 * Each keeps to the weights by itself; how they interleave is random.
	 */
	@Test
	void weightsHoldOverAnyThousandTasksOfTwoServers() throws Exception {
		List<Taken> taken = this.servers.workOff(2, Duration.ZERO, 10, 10_000);
		for (int i = 0; i < 2; i++) {
			int server = i;
			List<String> its = queues(taken.stream().filter((one) -> one.server() == server).toList());
			assertThat(worst(its, WINDOW)).as("of one server").isLessThanOrEqualTo(10);
		}
		assertThat(worst(queues(taken), WINDOW)).as("of both").isLessThanOrEqualTo(20);
	}

	@Test
	void weightsHoldOverAnyThousandLongTasksInManySlots() throws Exception {
		List<String> taken = queues(this.servers.workOff(1, Duration.ofMillis(50), 64, 4000));
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
		// Resumed by the server itself: a late test would find the other queues empty
		AtomicBoolean watched = new AtomicBoolean();
		AtomicBoolean resumed = new AtomicBoolean();
		Runnable resuming = () -> {
			if (!watched.get()) {
				// So would one that still has to watch the paused queue
				LockSupport.parkNanos(10_000_000);
			}
			else if (!resumed.get() && taken.size() >= 3000 && resumed.compareAndSet(false, true)) {
				redis.delete("asynq:{critical}:paused");
			}
		};
		try (TestServer server = this.servers.server(0, Duration.ZERO, concurrency, taken, resuming)) {
			// A queue that is filled while being processed might run empty meanwhile
			redis.opsForValue().set("asynq:{critical}:paused", "1");
			fill(server, "critical", 0, 6000);
			fill(server, "default", 0, 24_000);
			fill(server, "low", 0, 8000);
			server.start();
			// Scheduled and retry of all, pending and paused of the paused queue
			await().until(() -> watchedKeys(redis) == 8);
			watched.set(true);
			await().until(() -> count(taken, "critical") >= 6000);
		}
		List<String> all = queues(taken);
		int filled = all.indexOf("critical");
		assertThat(worst(all.subList(0, filled), WINDOW, Map.of("default", 3, "low", 1))).isLessThanOrEqualTo(10);
		assertThat(worst(all.subList(filled, Math.min(filled + 5000, all.size())), WINDOW)).isLessThanOrEqualTo(16);
	}

	private static int watchedKeys(StringRedisTemplate redis) {
		Properties stats = redis.execute((RedisConnection connection) -> connection.serverCommands().info("stats"));
		return Integer.parseInt(stats.getProperty("tracking_total_keys"));
	}

	private static long count(Collection<Taken> taken, String queue) {
		return taken.stream().filter((one) -> one.queue().equals(queue)).count();
	}

}
