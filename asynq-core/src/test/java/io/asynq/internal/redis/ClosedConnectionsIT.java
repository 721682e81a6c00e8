package io.asynq.internal.redis;

import java.util.function.Consumer;

import io.asynq.BrokerUnavailableException;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import io.asynq.test.process.RequiresGo;
import io.asynq.test.redis.LossyProxy;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.args.ClientType;
import redis.clients.jedis.params.ClientKillParams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Redis closes connections in the pool of the application.
 */
class ClosedConnectionsIT {

	private TestRedis redis = TestRedis.startOwn();

	private final JedisConnectionFactory factory = RedisExtension.connectionFactory(this.redis);

	private final ClosedConnections application = new ClosedConnections(this.factory);

	@AfterEach
	void stop() {
		this.factory.destroy();
		this.redis.stop();
	}

	@Test
	void noCallFailsAfterConnectionsAreKilled() throws Exception {
		try (Jedis admin = admin()) {
			this.application.openMany(admin);
			kill(admin);
		}
		this.application.assertAllCallsSucceed();
	}

	@Test
	void noCallFailsAfterConnectionsAreKilledWithUnpooledDriver() throws Exception {
		JedisConnectionFactory lending = new JedisConnectionFactory(this.factory.getStandaloneConfiguration(),
				this.factory.getClientConfiguration());
		lending.setUseUnifiedJedis(false);
		lending.afterPropertiesSet();
		lending.start();
		ClosedConnections other = new ClosedConnections(lending);
		try (Jedis admin = admin()) {
			other.openMany(admin);
			kill(admin);
			other.assertAllCallsSucceed();
		}
		finally {
			lending.destroy();
		}
	}

	@Test
	void noCallFailsAfterRestart() throws Exception {
		try (Jedis admin = admin()) {
			this.application.openMany(admin);
		}
		int port = this.redis.port();
		this.redis.stop();
		this.redis = TestRedis.startOwn(port);
		this.application.assertAllCallsSucceed();
	}

	@Test
	void noCallFailsAfterIdleConnectionsAreClosed() throws Exception {
		try (Jedis admin = admin()) {
			this.application.openMany(admin);
			admin.configSet("timeout", "1");
		}
		// One connection each time: where this program stands still, it is idle as well
		Awaitility.await().until(() -> this.redis.node().call(ClosedConnections::others).isEmpty());
		this.application.assertAllCallsSucceed();
	}

	@Test
	void noCallFailsAfterApplicationRestartsItsFactory() {
		this.application.assertAllCallsSucceed();
		this.factory.stop();
		assertThatExceptionOfType(BrokerUnavailableException.class)
			.isThrownBy(() -> this.application.broker().enqueuer().enqueue(this.application.request()));
		this.factory.start();
		assertThat(this.application.failures()).isEmpty();
	}

	@Test
	void busyCallerSendsNoPing() {
		try (Jedis admin = admin()) {
			for (int i = 0; i < 50; i++) {
				assertThat(this.application.failures()).isEmpty();
			}
			assertThat(calls(admin, "evalsha")).isGreaterThan(1000);
			assertThat(calls(admin, "ping")).isLessThan(calls(admin, "evalsha") / 10);
		}
	}

	@Test
	void repeatableCallNeedsNoPingOverIdleConnection() {
		try (Jedis admin = admin()) {
			askAgain();
			long pings = calls(admin, "ping");
			this.application.awaitIdle(admin);
			askAgain();
			assertThat(calls(admin, "ping")).isEqualTo(pings);
			kill(admin);
			askAgain();
		}
	}

	/**
	 * Makes one call as a client and one as a server.
	 */
	private void askAgain() {
		assertThat(this.application.broker().queues().queues()).isEmpty();
		assertThat(this.application.broker().upkeep().forward("default").moved()).isZero();
	}

	@Test
	@RequiresGo
	void enqueueWithLostAnswerFailsAndIsNotRepeated() {
		withRelay((relay) -> {
			ClosedConnections other = new ClosedConnections(relay.factory());
			other.broker().enqueuer().enqueue(other.request());
			relay.relay().loseAnswerTo("asynq:{default}:t:t2");
			assertThatExceptionOfType(BrokerUnavailableException.class)
				.isThrownBy(() -> other.broker().enqueuer().enqueue(other.request()))
				.withMessageContaining("the task may have been stored: look for its id before you enqueue it again");
			try (Jedis admin = admin()) {
				assertThat(admin.lrange("asynq:{default}:pending", 0, -1)).containsExactly("t2", "t1");
			}
			assertThat(relay.relay().lost()).isEqualTo(1);
		});
	}

	@Test
	@RequiresGo
	void readWithLostAnswerIsRepeated() {
		withRelay((relay) -> {
			ClosedConnections other = new ClosedConnections(relay.factory());
			other.broker().enqueuer().enqueue(other.request());
			relay.relay().loseAnswerTo("asynq:{default}:t:t1");
			assertThat(other.broker().tasks().find("default", "t1")).isPresent();
			assertThat(relay.relay().lost()).isEqualTo(1);
			relay.relay().loseAnswerTo("SMEMBERS");
			assertThat(other.broker().queues().queues()).containsExactly("default");
			assertThat(relay.relay().lost()).isEqualTo(2);
		});
	}

	@Test
	@RequiresGo
	void fireWithLostAnswerIsRepeatedAndStoredOnce() {
		withRelay((relay) -> {
			ClosedConnections other = new ClosedConnections(relay.factory());
			relay.relay().loseAnswerTo(":fire:entry:");
			assertThat(other.fire("scheduler", 1)).isTrue();
			try (Jedis admin = admin()) {
				assertThat(admin.lrange("asynq:{default}:pending", 0, -1)).containsExactly("t1");
			}
			assertThat(relay.relay().lost()).isEqualTo(1);
		});
	}

	private void withRelay(Consumer<Relayed> test) {
		try (LossyProxy relay = LossyProxy.start(this.redis.port())) {
			JedisConnectionFactory through = new JedisConnectionFactory(
					new RedisStandaloneConfiguration("127.0.0.1", relay.port()), this.factory.getClientConfiguration());
			through.afterPropertiesSet();
			through.start();
			try {
				test.accept(new Relayed(relay, through));
			}
			finally {
				through.destroy();
			}
		}
	}

	private Jedis admin() {
		return new Jedis(this.redis.host(), this.redis.port(), 60_000);
	}

	private static void kill(Jedis admin) {
		admin.clientKill(new ClientKillParams().type(ClientType.NORMAL).skipMe(ClientKillParams.SkipMe.YES));
	}

	private static long calls(Jedis admin, String command) {
		return admin.info("commandstats")
			.lines()
			.filter((line) -> line.startsWith("cmdstat_" + command + ":"))
			.mapToLong((line) -> Long.parseLong(line.replaceAll("^[^:]*:calls=(\\d+),.*", "$1")))
			.sum();
	}

	/**
	 * Connections through a proxy.
	 */
	private record Relayed(LossyProxy relay, JedisConnectionFactory factory) {
	}

}
