package io.asynq.reliability.nodes;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import io.asynq.annotation.TaskHandler;
import io.asynq.handler.TaskContext;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.redis.ServerConnections;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.server.AsynqServer;
import io.asynq.test.redis.Driver;
import io.asynq.test.redis.SentinelRedis;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The server follows Sentinel to the new master by itself while the application has used
 * up its own connections.
 */
@Timeout(600)
class SentinelServerIT {

	private static final int POOL = 2;

	private static final int TASKS = 10;

	/** Longer than the longest back-off of Lettuce before it reconnects. */
	private static final Duration LEASE = Duration.ofSeconds(60);

	private static final Duration LONG = Duration.ofMinutes(3);

	private static final String LEASES = "asynq:{default}:lease";

	private static final String CANCELLATIONS = "asynq:cancel";

	@ParameterizedTest
	@EnumSource(Driver.class)
	void serverConnectionsFollowFailover(Driver driver) {
		assertFollows(driver, Map.of(), SentinelRedis::failOver);
	}

	@ParameterizedTest
	@EnumSource(Driver.class)
	void serverConnectionsLeaveHangingMaster(Driver driver) {
		// Makes Lettuce subscribe to the Sentinels
		assertFollows(driver, Map.of("spring.data.redis.lettuce.read-from", "upstream"), SentinelRedis::failOverHung);
	}

	private static void assertFollows(Driver driver, Map<String, String> settings, Consumer<SentinelRedis> failOver) {
		try (SentinelRedis redis = SentinelRedis.start();
				ConfigurableApplicationContext context = start(redis, driver, settings);
				Starved starved = new Starved(context.getBean(RedisConnectionFactory.class))) {
			Handled handled = context.getBean(Handled.class);
			assertThat(context.getBean(ServerConnections.class).isOwn()).isTrue();
			awaitStarved(redis);
			enqueue(redis, "long");
			await().until(() -> handled.begun.contains("long"));
			assertThat(redis.master().<Long>call((jedis) -> jedis.waitReplicas(2, 20_000))).isEqualTo(2);
			double leaseEnd = leaseEnd(redis);

			failOver.accept(redis);

			for (int i = 0; i < TASKS; i++) {
				enqueue(redis, "t" + i);
			}
			// The longer a failover takes, the longer Lettuce backs off
			await().atMost(LONG).until(() -> handled.begun.size() == TASKS + 1);
			// Renewed there
			await().atMost(LONG).until(() -> leaseEnd(redis) >= leaseEnd + LEASE.toSeconds() / 2);
			await().atMost(LONG).until(() -> listeners(redis) == 1);
			handled.end.countDown();
			await().until(() -> redis.master().<Long>call((jedis) -> jedis.zcard(LEASES)) == 0);
			assertThat(context.getBean(AsynqServer.class).statistics().leasesLost()).isZero();
		}
	}

	private static double leaseEnd(SentinelRedis redis) {
		Double end = redis.master().<Double>call((jedis) -> jedis.zscore(LEASES, "long"));
		return (end != null) ? end : 0;
	}

	private static long listeners(SentinelRedis redis) {
		return redis.master().<Long>call((jedis) -> jedis.pubsubNumSub(CANCELLATIONS).get(CANCELLATIONS));
	}

	private static void awaitStarved(SentinelRedis redis) {
		await().atMost(LONG)
			.ignoreExceptions()
			.until(() -> Integer.parseInt(redis.master().info("clients").get("blocked_clients")) == POOL);
	}

	private static void enqueue(SentinelRedis redis, String id) {
		RedisBroker broker = new RedisBroker(redis.producerConnections(), Clock.systemUTC(), LEASE, (task) -> {
		});
		TaskMessage message = TaskMessage.builder("t", id, "default").timeoutSeconds(1800).build();
		await().atMost(LONG).ignoreExceptions().until(() -> {
			broker.enqueuer().enqueue(new EnqueueRequest(message, new Placement.Pending(), null));
			return true;
		});
	}

	private static ConfigurableApplicationContext start(SentinelRedis redis, Driver driver,
			Map<String, String> settings) {
		Map<String, String> properties = new LinkedHashMap<>(redis.springProperties());
		properties.putAll(driver.springProperties());
		properties.putAll(settings);
		properties.put("spring.data.redis.jedis.pool.max-active", String.valueOf(POOL));
		properties.put("spring.data.redis.lettuce.pool.enabled", "true");
		// All calls that do not block share one connection, which Lettuce also takes from
		// the pool
		properties.put("spring.data.redis.lettuce.pool.max-active", String.valueOf(POOL + 1));
		properties.put("spring.main.banner-mode", "off");
		properties.put("asynq.server.lease-duration", LEASE.toSeconds() + "s");
		properties.put("asynq.server.heartbeat-interval", "1s");
		String[] arguments = properties.entrySet()
			.stream()
			.map((entry) -> "--" + entry.getKey() + "=" + entry.getValue())
			.toArray(String[]::new);
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE).run(arguments);
	}

	/** Keeps all connections of the application blocked, again after each failure. */
	private static final class Starved implements AutoCloseable {

		private final RedisConnectionFactory application;

		private volatile boolean ended;

		Starved(RedisConnectionFactory application) {
			this.application = application;
			for (int i = 0; i <= POOL; i++) {
				Thread thread = new Thread(this::waitForNothing, "starving-" + i);
				thread.setDaemon(true);
				thread.start();
			}
		}

		@Override
		public void close() {
			this.ended = true;
		}

		private void waitForNothing() {
			while (!this.ended) {
				try (RedisConnection connection = this.application.getConnection()) {
					connection.listCommands().bLPop(60, "never".getBytes(StandardCharsets.UTF_8));
				}
				catch (RuntimeException ex) {
					LockSupport.parkNanos(100_000_000);
				}
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Handled handled() {
			return new Handled();
		}

	}

	static final class Handled {

		private final Set<String> begun = ConcurrentHashMap.newKeySet();

		private final CountDownLatch end = new CountDownLatch(1);

		@TaskHandler("t")
		void handle(TaskContext context) throws InterruptedException {
			this.begun.add(context.taskId());
			if (context.taskId().equals("long")) {
				this.end.await();
			}
		}

	}

}
