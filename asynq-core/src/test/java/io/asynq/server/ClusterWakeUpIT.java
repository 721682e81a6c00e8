package io.asynq.server;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.asynq.internal.redis.RedisState;
import io.asynq.test.RedisClusterExtension;
import io.asynq.test.TestRedisCluster;
import io.asynq.test.redis.ClusterRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An idle server on a cluster notices arrivals on each of the three masters, though it
 * polls only every five minutes.
 */
@ExtendWith(RedisClusterExtension.class)
@Timeout(300)
class ClusterWakeUpIT {

	/** One for each master. */
	private static final List<String> QUEUES = List.of("a", "b", "c");

	private final RedisConnectionFactory factory;

	private final BlockingQueue<String> handled = new LinkedBlockingQueue<>();

	ClusterWakeUpIT(RedisConnectionFactory factory) {
		this.factory = factory;
	}

	@Test
	void idleServerIsWokenByEachMaster() throws Exception {
		try (TestServer server = TestServer.builder(this.factory).options((options) -> {
			QUEUES.forEach((queue) -> options.queue(queue, 1));
			return options.taskCheckInterval(Duration.ofMinutes(5)).delayedTaskCheckInterval(Duration.ofMinutes(5));
		}).handling((task, context) -> {
			this.handled.add(context.taskId());
			return null;
		}).start()) {
			for (String queue : QUEUES) {
				awaitWatched();
				server.enqueue(RedisState.message(queue, queue).build());
				assertThat(this.handled.poll(60, TimeUnit.SECONDS)).isEqualTo(queue);
			}
			awaitWatched();
			server.schedule(RedisState.message("b", "later").build(), Instant.now().plusSeconds(2));
			assertThat(this.handled.poll(60, TimeUnit.SECONDS)).isEqualTo("later");
		}
	}

	/** Waits until pending, paused, scheduled and retry of each queue are watched. */
	private static void awaitWatched() {
		await().atMost(Duration.ofMinutes(1)).until(() -> QUEUES.stream().allMatch(ClusterWakeUpIT::isWatched));
	}

	private static boolean isWatched(String queue) {
		try (Jedis node = TestRedisCluster.shared().connectToNodeOf(ClusterRedis.slotOfQueue(queue))) {
			return node.info("stats").contains("tracking_total_keys:4\r");
		}
	}

}
