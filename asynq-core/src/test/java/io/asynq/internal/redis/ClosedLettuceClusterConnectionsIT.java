package io.asynq.internal.redis;

import java.util.List;
import java.util.function.Consumer;

import io.asynq.BrokerUnavailableException;
import io.asynq.test.LettuceClusterExtension;
import io.asynq.test.TestRedisCluster;
import io.asynq.test.process.RequiresGo;
import io.asynq.test.redis.LossyProxy;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.args.ClientType;
import redis.clients.jedis.params.ClientKillParams;
import redis.clients.jedis.util.JedisClusterCRC16;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A cluster node closes the connection that all callers share.
 */
@Tag("slow")
class ClosedLettuceClusterConnectionsIT {

	private static final int SLOT = JedisClusterCRC16.getSlot("asynq:{default}:");

	private final TestRedisCluster cluster = TestRedisCluster.startOwn();

	private final Jedis admin = this.cluster.connectToNodeOf(SLOT);

	@AfterEach
	void stop() {
		this.admin.close();
		this.cluster.stop();
	}

	@Test
	void noCallFailsAfterNodeKilledConnections() {
		withApplication((application) -> {
			this.admin.clientKill(new ClientKillParams().type(ClientType.NORMAL).skipMe(ClientKillParams.SkipMe.YES));
			application.assertAllCallsSucceed();
		});
	}

	@Test
	void noCallFailsAfterNodeRestart() {
		withApplication((application) -> {
			this.cluster.restartNodeOf(SLOT);
			application.assertAllCallsSucceed();
		});
	}

	@Test
	@RequiresGo
	void enqueueWithLostAnswerFailsAndIsNotRepeated() {
		int port = Integer.parseInt(this.admin.configGet("port").get("port"));
		try (LossyProxy relay = LossyProxy.start(port)) {
			this.admin.configSet("cluster-announce-bus-port", String.valueOf(port + 10000));
			this.admin.configSet("cluster-announce-port", String.valueOf(relay.port()));
			// Lettuce asks all nodes for the topology
			Awaitility.await().until(() -> this.cluster.nodes().stream().allMatch((node) -> knows(node, relay.port())));
			LettuceConnectionFactory through = LettuceClusterExtension
				.connectionFactory(new RedisClusterConfiguration(List.of("127.0.0.1:" + relay.port())));
			try {
				ClosedConnections other = new ClosedConnections(through);
				other.broker().enqueuer().enqueue(other.request());
				relay.loseAnswerTo("asynq:{default}:pending");
				assertThatExceptionOfType(BrokerUnavailableException.class)
					.isThrownBy(() -> other.broker().enqueuer().enqueue(other.request()))
					.withMessageContaining("the task may have been stored");
				assertThat(relay.lost()).isEqualTo(1);
				assertThat(this.admin.lrange("asynq:{default}:pending", 0, -1)).containsExactly("t2", "t1");
				other.broker().enqueuer().enqueue(other.request());
				assertThat(this.admin.lrange("asynq:{default}:pending", 0, -1)).containsExactly("t3", "t2", "t1");
			}
			finally {
				through.destroy();
			}
		}
	}

	private static boolean knows(String node, int port) {
		try (Jedis jedis = new Jedis(HostAndPort.from(node),
				DefaultJedisClientConfig.builder().timeoutMillis(60_000).build())) {
			return jedis.clusterNodes().contains(":" + port + "@");
		}
	}

	private void withApplication(Consumer<ClosedConnections> test) {
		LettuceConnectionFactory factory = LettuceClusterExtension
			.connectionFactory(new RedisClusterConfiguration(this.cluster.nodes()));
		try {
			ClosedConnections application = new ClosedConnections(factory);
			application.broker().enqueuer().enqueue(application.request());
			application.awaitIdle(this.admin);
			test.accept(application);
		}
		finally {
			factory.destroy();
		}
	}

}
