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

import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.test.RedisClusterExtension;
import io.asynq.test.TestRedisCluster;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisClusterNode;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One of three masters hangs: its connections stay open but nothing arrives.
 */
@ExtendWith(RedisClusterExtension.class)
class HungMasterIT {

	private static final List<String> QUEUES = IntStream.range(0, 12).mapToObj((i) -> "hung-" + i).toList();

	private static final int FAST_TASKS = 20;

	private final Set<String> done = ConcurrentHashMap.newKeySet();

	private final CountDownLatch begun = new CountDownLatch(QUEUES.size());

	private final CountDownLatch end = new CountDownLatch(1);

	@Test
	@Tag("slow")
	void hungMasterAffectsOnlyItsOwnQueues(RedisConnectionFactory factory) throws Exception {
		try (TestServer server = TestServer.builder(factory).lease(Duration.ofSeconds(12)).options((options) -> {
			QUEUES.forEach((queue) -> options.queue(queue, 1));
			return options.concurrency(40).heartbeatInterval(Duration.ofSeconds(1));
		}).handling((task, context) -> {
			if (task.type().equals("long")) {
				this.begun.countDown();
				this.end.await(5, TimeUnit.MINUTES);
			}
			this.done.add(context.taskId());
			return null;
		})) {
			Map<String, String> masters = masters(server.broker);
			String hung = victim(factory, masters);
			List<String> healthy = QUEUES.stream().filter((queue) -> !masters.get(queue).equals(hung)).toList();
			assertThat(healthy).isNotEmpty().hasSizeLessThan(QUEUES.size());
			server.start();
			QUEUES.forEach((queue) -> server.enqueue(message("long", "long", queue)));
			assertThat(this.begun.await(1, TimeUnit.MINUTES)).isTrue();
			try (AutoCloseable pause = TestRedisCluster.shared().pause(hung)) {
				// Longer than a lease
				Awaitility.await()
					.atMost(Duration.ofMinutes(2))
					.until(() -> server.server().statistics().leasesLost() >= QUEUES.size() - healthy.size());
				for (int i = 0; i < FAST_TASKS; i++) {
					for (String queue : healthy) {
						server.enqueue(message("fast", queue + "-" + i, queue));
					}
				}
				Awaitility.await()
					.atMost(Duration.ofMinutes(1))
					.until(() -> this.done.size() == FAST_TASKS * healthy.size());
				Awaitility.await()
					.atMost(Duration.ofMinutes(2))
					.untilAsserted(() -> assertThat(server.server().nodesAway()).containsOnlyKeys(hung));
			}
			assertThat(server.server().statistics().leasesLost()).as("leases lost, on the node that hung alone")
				.isEqualTo(QUEUES.size() - healthy.size());
			Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> server.server().nodesAway().isEmpty());
			this.end.countDown();
		}
	}

	@Test
	void stopBesideHungMasterEndsAndRequeuesTasksOfOtherMasters(RedisConnectionFactory factory) throws Exception {
		TestServer server = TestServer.builder(factory).options((options) -> {
			QUEUES.forEach((queue) -> options.queue(queue, 1));
			return options.concurrency(40).shutdownTimeout(Duration.ofSeconds(1));
		}).handling((task, context) -> {
			this.begun.countDown();
			this.end.await(5, TimeUnit.MINUTES);
			return null;
		});
		Map<String, String> masters = masters(server.broker);
		String hung = victim(factory, masters);
		server.start();
		QUEUES.forEach((queue) -> server.enqueue(message("long", "long", queue)));
		assertThat(this.begun.await(1, TimeUnit.MINUTES)).isTrue();
		try (AutoCloseable pause = TestRedisCluster.shared().pause(hung)) {
			Thread stop = new Thread(server::stop, "stop");
			stop.start();
			stop.join(Duration.ofMinutes(1).toMillis());
			assertThat(stop.isAlive()).as("waits for the node that hangs").isFalse();
			assertThat(server.components.all()).noneMatch((part) -> part.isRunning());
			for (String queue : QUEUES) {
				if (!masters.get(queue).equals(hung)) {
					Awaitility.await().untilAsserted(() -> server.state.assertPending(queue, "long"));
					server.state.assertActive(queue);
				}
			}
		}
	}

	private static Map<String, String> masters(RedisBroker broker) {
		return broker.servers().masters(QUEUES);
	}

	/**
	 * The worst one, because every enqueue adds the queue to a set that all queues share.
	 */
	private static String victim(RedisConnectionFactory factory, Map<String, String> masters) {
		String ofNames = ofAllNames(factory);
		assertThat(masters).containsValue(ofNames);
		return ofNames;
	}

	private static String ofAllNames(RedisConnectionFactory factory) {
		try (RedisClusterConnection connection = factory.getClusterConnection()) {
			RedisClusterNode node = connection.clusterGetNodeForKey("asynq:queues".getBytes(StandardCharsets.UTF_8));
			return node.getHost() + ":" + node.getPort();
		}
	}

	private static TaskMessage message(String type, String id, String queue) {
		return TaskMessage.builder(type, id, queue).maxRetry(25).timeoutSeconds(1800).build();
	}

}
