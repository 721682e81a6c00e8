package io.asynq.server;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.asynq.handler.HandlerLimits;
import io.asynq.handler.TaskMux;
import io.asynq.inspect.QueueStats;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.limit.LimitRate;
import io.asynq.limit.TaskLimit;
import io.asynq.test.RedisClusterExtension;
import io.asynq.test.TestRedisCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisClusterNode;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tasks of a limit wait on several masters, one of which hangs.
 */
@ExtendWith(RedisClusterExtension.class)
@Timeout(300)
@Tag("full")
class LimitsBesideHungMasterIT {

	private static final List<String> QUEUES = IntStream.range(0, 12).mapToObj((i) -> "limited-" + i).toList();

	private static final int TASKS = 10;

	private final Set<String> done = ConcurrentHashMap.newKeySet();

	private final CountDownLatch begun = new CountDownLatch(2);

	private final CountDownLatch end = new CountDownLatch(1);

	@ParameterizedTest
	@ValueSource(strings = { "concurrent", "rate" })
	void tokensGoToTheQueuesOfOtherMasters(String limit, RedisConnectionFactory factory) throws Exception {
		TaskMux mux = new TaskMux();
		mux.handle("blocker", (task, context) -> {
			this.begun.countDown();
			this.end.await(5, TimeUnit.MINUTES);
			return null;
		}, HandlerLimits.of("api"));
		mux.handle("limited", (task, context) -> {
			this.done.add(context.queue() + context.taskId());
			return null;
		}, HandlerLimits.of("api"));
		try (TestServer server = TestServer.builder(factory).options((options) -> {
			QUEUES.forEach((queue) -> options.queue(queue, 1));
			return options.concurrency(40)
				.shutdownTimeout(Duration.ofMillis(200))
				.limit("api", new TaskLimit(2, limit.equals("rate") ? LimitRate.parse("50/s") : null, null));
		}).handling(mux)) {
			Map<String, String> masters = server.broker.servers().masters(QUEUES);
			List<String> needed = List.of(master(factory, "asynq:queues"),
					master(factory, "asynqj:limits:{limits}:rules"));
			String hung = masters.values().stream().filter((node) -> !needed.contains(node)).findFirst().orElseThrow();
			List<String> healthy = QUEUES.stream().filter((queue) -> !masters.get(queue).equals(hung)).toList();
			server.start();
			server.enqueue(message("blocker", "1", healthy.get(0)));
			server.enqueue(message("blocker", "2", healthy.get(0)));
			assertThat(this.begun.await(1, TimeUnit.MINUTES)).isTrue();
			for (String queue : QUEUES) {
				IntStream.range(0, TASKS).forEach((i) -> server.enqueue(message("limited", "t" + i, queue)));
			}
			await().untilAsserted(() -> assertThat(server.broker.manyQueues().stats(QUEUES).values().values())
				.extracting(QueueStats::waitingForLimit)
				.containsOnly((long) TASKS));
			try (AutoCloseable pause = TestRedisCluster.shared().pause(hung)) {
				this.end.countDown();
				await().atMost(Duration.ofSeconds(20)).until(() -> this.done.size() == healthy.size() * TASKS);
			}
			await().atMost(Duration.ofMinutes(1)).until(() -> this.done.size() == QUEUES.size() * TASKS);
		}
	}

	private static String master(RedisConnectionFactory factory, String key) {
		try (RedisClusterConnection connection = factory.getClusterConnection()) {
			RedisClusterNode node = connection.clusterGetNodeForKey(key.getBytes(StandardCharsets.UTF_8));
			return node.getHost() + ":" + node.getPort();
		}
	}

	private static TaskMessage message(String type, String id, String queue) {
		return TaskMessage.builder(type, id, queue).maxRetry(0).timeoutSeconds(1800).build();
	}

}
