package io.asynq.internal.redis.driver;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.fleet.ServerRegistry;
import io.asynq.test.redis.ClusterRedis;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A server asks for the masters of its queues while Lettuce does not read the cluster
 * again by itself.
 */
@Tag("slow")
@Timeout(120)
class LettuceTopologyIT {

	private static final String QUEUE = "a";

	private static final int SLOT = ClusterRedis.slotOfQueue(QUEUE);

	private static ClusterRedis cluster;

	private LettuceConnectionFactory factory;

	private ServerRegistry servers;

	@BeforeAll
	static void startCluster() {
		cluster = ClusterRedis.start();
	}

	@AfterAll
	static void stopCluster() {
		cluster.close();
	}

	@BeforeEach
	void connect() {
		ClusterTopologyRefreshOptions never = ClusterTopologyRefreshOptions.builder()
			.disableAllAdaptiveRefreshTriggers()
			.build();
		this.factory = new LettuceConnectionFactory(
				new RedisClusterConfiguration(cluster.nodes().stream().map((node) -> node.address()).toList()),
				LettuceClientConfiguration.builder()
					.commandTimeout(Duration.ofSeconds(2))
					.clientOptions(ClusterClientOptions.builder().topologyRefreshOptions(never).build())
					.build());
		this.factory.afterPropertiesSet();
		this.factory.start();
		RedisBroker broker = new RedisBroker(this.factory, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION,
				(task) -> {
				});
		this.servers = broker.servers();
		assertThat(this.servers.masters(List.of(QUEUE))).isEqualTo(served());
	}

	@AfterEach
	void disconnect() {
		this.factory.destroy();
	}

	@Test
	void newMasterOfMovedSlotIsFoundAndToldToLettuce() {
		cluster.moveSlot(SLOT, new Random(1));
		await().untilAsserted(() -> assertThat(this.servers.masters(List.of(QUEUE))).isEqualTo(served()));
		assertThat(knownToLettuce()).isEqualTo(served());
	}

	@Test
	void promotedReplicaIsFoundAndToldToLettuce() {
		cluster.killMaster(SLOT);
		await().untilAsserted(() -> assertThat(this.servers.masters(List.of(QUEUE))).isEqualTo(served()));
		assertThat(knownToLettuce()).isEqualTo(served());
	}

	private static Map<String, String> served() {
		return Map.of(QUEUE, cluster.master(SLOT).address());
	}

	private Map<String, String> knownToLettuce() {
		try (RedisClusterConnection connection = this.factory.getClusterConnection()) {
			return Map.of(QUEUE, connection.clusterGetNodeForSlot(SLOT).asString());
		}
	}

}
