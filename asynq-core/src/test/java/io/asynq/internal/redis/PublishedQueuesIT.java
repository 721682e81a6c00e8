package io.asynq.internal.redis;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.schedule.Fire;
import io.asynq.test.RedisClusterExtension;
import io.asynq.test.TestRedisCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisClusterNode;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import redis.clients.jedis.JedisPoolConfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The set of all queue names is on one cluster master, which hangs or must not be waited
 * for.
 */
@ExtendWith(RedisClusterExtension.class)
@Timeout(300)
class PublishedQueuesIT {

	private static final List<String> QUEUES = IntStream.range(0, 12).mapToObj((i) -> "names-" + i).toList();

	private final RedisConnectionFactory factory;

	private final RedisBroker broker;

	PublishedQueuesIT(RedisConnectionFactory factory) {
		this.factory = factory;
		this.broker = broker(factory, factory);
	}

	@AfterEach
	void close() {
		this.broker.close();
	}

	@Test
	void hangingMasterOfQueueListBlocksNoOtherQueue() throws Exception {
		String names = masterOfNames();
		Map<String, String> masters = this.broker.servers().masters(QUEUES);
		List<String> healthy = QUEUES.stream().filter((queue) -> !masters.get(queue).equals(names)).toList();
		assertThat(healthy).isNotEmpty();
		try (AutoCloseable pause = TestRedisCluster.shared().pause(names)) {
			for (String queue : healthy) {
				this.broker.enqueuer().enqueue(request(queue, "1"));
				assertThat(this.broker.enqueuer().enqueueAll(List.of(request(queue, "2"))))
					.containsExactly(Optional.empty());
			}
		}
		await().ignoreExceptions().untilAsserted(() -> assertThat(this.broker.queues().queues()).containsAll(healthy));
	}

	@Test
	void serverDoesNotWaitForConnectionsOfApplication() {
		JedisConnectionFactory application = busy();
		RedisBroker shared = broker(application, this.factory);
		try {
			assertThat(shared.schedulers()
				.enqueue(request("names-fire", "1"), new Fire("e", Instant.EPOCH, "me", false, false))).isTrue();
			// Listed by a thread of its own, which is waited for briefly
			await().untilAsserted(() -> assertThat(this.broker.queues().queues()).contains("names-fire"));
		}
		finally {
			shared.close();
			application.destroy();
		}
	}

	private static JedisConnectionFactory busy() {
		JedisPoolConfig none = new JedisPoolConfig();
		none.setMaxTotal(0);
		JedisConnectionFactory application = new JedisConnectionFactory(
				new RedisClusterConfiguration(TestRedisCluster.shared().nodes()),
				JedisClientConfiguration.builder().usePooling().poolConfig(none).build());
		application.afterPropertiesSet();
		application.start();
		return application;
	}

	private static RedisBroker broker(RedisConnectionFactory application, RedisConnectionFactory server) {
		return new RedisBroker(application, new ServerConnections(server, ServerConnections.Source.OWN),
				Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION, (task) -> {
				});
	}

	private String masterOfNames() {
		try (RedisClusterConnection connection = this.factory.getClusterConnection()) {
			RedisClusterNode node = connection.clusterGetNodeForKey("asynq:queues".getBytes(StandardCharsets.UTF_8));
			return node.getHost() + ":" + node.getPort();
		}
	}

	private static EnqueueRequest request(String queue, String id) {
		return new EnqueueRequest(TaskMessage.builder("t", id, queue).build(), new Placement.Pending(), null);
	}

}
