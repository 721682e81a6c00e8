package io.asynq.internal.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

import io.asynq.BrokerUnavailableException;
import io.asynq.test.TestRedisCluster;
import io.asynq.test.process.RequiresGo;
import io.asynq.test.redis.LossyProxy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPoolConfig;
import redis.clients.jedis.args.ClientType;
import redis.clients.jedis.params.ClientKillParams;
import redis.clients.jedis.util.JedisClusterCRC16;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A cluster node closes connections in the pool of the application.
 */
class ClosedClusterConnectionsIT {

	private static final int SLOT = JedisClusterCRC16.getSlot("asynq:{default}:");

	private static final TestRedisCluster CLUSTER = TestRedisCluster.startOwn();

	private JedisConnectionFactory factory;

	private ClosedConnections application;

	@BeforeEach
	void connect() {
		try (Jedis admin = CLUSTER.connectToNodeOf(SLOT)) {
			admin.flushAll();
		}
		// Calls wait while connections are opened, on a slow machine for longer than the
		// driver's two seconds
		this.factory = new JedisConnectionFactory(new RedisClusterConfiguration(CLUSTER.nodes()),
				JedisClientConfiguration.builder().readTimeout(Duration.ofSeconds(30)).usePooling().build());
		this.factory.afterPropertiesSet();
		this.factory.start();
		this.application = new ClosedConnections(this.factory);
	}

	@AfterEach
	void disconnect() {
		this.factory.destroy();
	}

	@AfterAll
	static void stop() {
		CLUSTER.stop();
	}

	@Test
	void noCallFailsAfterNodeKilledConnections() throws Exception {
		try (Jedis admin = CLUSTER.connectToNodeOf(SLOT)) {
			this.application.openMany(admin);
			admin.clientKill(new ClientKillParams().type(ClientType.NORMAL).skipMe(ClientKillParams.SkipMe.YES));
		}
		this.application.assertAllCallsSucceed();
	}

	@Test
	void poolOfOneConnectionSufficesToDetectClosedConnection() {
		JedisPoolConfig one = new JedisPoolConfig();
		one.setMaxTotal(1);
		JedisConnectionFactory narrow = new JedisConnectionFactory(new RedisClusterConfiguration(CLUSTER.nodes()),
				JedisClientConfiguration.builder().usePooling().poolConfig(one).build());
		narrow.afterPropertiesSet();
		narrow.start();
		try (Jedis admin = CLUSTER.connectToNodeOf(SLOT)) {
			ClosedConnections calls = new ClosedConnections(narrow);
			calls.broker().enqueuer().enqueue(calls.request());
			for (int round = 0; round < 3; round++) {
				admin.clientKill(new ClientKillParams().type(ClientType.NORMAL).skipMe(ClientKillParams.SkipMe.YES));
				LockSupport.parkNanos(Duration.ofMillis(150).toNanos());
				assertThat(calls.broker().tasks().find("default", "t1")).isPresent();
			}
		}
		finally {
			narrow.destroy();
		}
	}

	@Test
	void noCallFailsAfterNodeRestart() throws Exception {
		try (Jedis admin = CLUSTER.connectToNodeOf(SLOT)) {
			this.application.openMany(admin);
		}
		CLUSTER.restartNodeOf(SLOT);
		this.application.assertAllCallsSucceed();
	}

	@Test
	@RequiresGo
	void enqueueWithLostAnswerFailsAndIsNotRepeated() {
		try (Jedis admin = CLUSTER.connectToNodeOf(SLOT); LossyProxy relay = LossyProxy.start(port(admin))) {
			announce(admin, relay.port());
			// Other nodes learn of it later
			JedisConnectionFactory through = new JedisConnectionFactory(
					new RedisClusterConfiguration(List.of("127.0.0.1:" + relay.port())));
			through.afterPropertiesSet();
			through.start();
			try {
				ClosedConnections other = new ClosedConnections(through);
				other.broker().enqueuer().enqueue(other.request());
				relay.loseAnswerTo("asynq:{default}:t:t2");
				assertThatExceptionOfType(BrokerUnavailableException.class)
					.isThrownBy(() -> other.broker().enqueuer().enqueue(other.request()))
					.withMessageContaining("the task may have been stored");
				assertThat(admin.lrange("asynq:{default}:pending", 0, -1)).isEqualTo(List.of("t2", "t1"));
				assertThat(relay.lost()).isEqualTo(1);
				relay.loseAnswerTo("asynq:{default}:t:t1");
				assertThat(other.broker().tasks().find("default", "t1")).isPresent();
				assertThat(relay.lost()).isEqualTo(2);
				relay.loseAnswersTo("asynq:{default}:t:t1", 2);
				assertThatExceptionOfType(BrokerUnavailableException.class).as("both tries fail")
					.isThrownBy(() -> other.broker().tasks().find("default", "t1"));
				assertThat(relay.lost()).isEqualTo(4);
			}
			finally {
				through.destroy();
				announce(admin, 0);
			}
		}
	}

	private static int port(Jedis node) {
		return Integer.parseInt(node.configGet("port").get("port"));
	}

	/**
	 * Makes the node announce another address.
	 */
	private static void announce(Jedis node, int port) {
		node.configSet("cluster-announce-bus-port", String.valueOf((port != 0) ? port(node) + 10000 : 0));
		node.configSet("cluster-announce-port", String.valueOf(port));
	}

}
