package io.asynq.spring.boot.autoconfigure;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.asynq.test.TestRedis;
import io.asynq.test.TestRedisCluster;
import io.asynq.test.Tier;
import io.asynq.test.redis.RedisNode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import redis.clients.jedis.Jedis;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application with a Redis that it cannot use: log and health name the cause, the
 * property and the way out, and Redis is not hammered.
 */
@Timeout(300)
@ExtendWith(OutputCaptureExtension.class)
class WrongRedisIT {

	private static final int SECONDS = Tier.choose(3, 12);

	/**
	 * How often a loop may try in that time: its pauses double from 0.1 s to 3 s.
	 */
	private static final int TRIES = Tier.choose(6, SECONDS);

	/** Processor, forwarder, recoverer, janitor, heartbeater, two subscriptions. */
	private static final int LOOPS = 7;

	/** The additional calls of the recoverer, once a minute and at the start. */
	private static final int SWEEP = 4;

	@Test
	void wrongPassword(CapturedOutput output) {
		TestRedis redis = TestRedis.startOwn("requirepass secret");
		try (Jedis jedis = new Jedis(redis.host(), redis.port())) {
			jedis.auth("secret");
			assertThat(attempts(redis.port(), () -> info(jedis, "stats", "total_connections_received:"), output,
					List.of("WRONGPASS", "spring.data.redis.password"), "spring.data.redis.password=guess"))
				.isLessThanOrEqualTo(LOOPS * TRIES + SWEEP);
		}
		finally {
			redis.stop();
		}
	}

	@Test
	void unexpectedPassword(CapturedOutput output) {
		TestRedis redis = TestRedis.startOwn();
		try (Jedis jedis = new Jedis(redis.host(), redis.port())) {
			assertThat(attempts(redis.port(), () -> info(jedis, "stats", "total_connections_received:"), output,
					List.of("remove spring.data.redis.password"), "spring.data.redis.password=guess"))
				.isLessThanOrEqualTo(LOOPS * TRIES + SWEEP);
		}
		finally {
			redis.stop();
		}
	}

	@Test
	void portWithoutListener(CapturedOutput output) {
		attempts(TestRedis.freePort(), () -> 0, output,
				List.of("Redis cannot be reached", "spring.data.redis.host", "spring.data.redis.port"));
	}

	@Test
	void portOfAnotherService(CapturedOutput output) throws Exception {
		try (SlammingServer server = SlammingServer.start()) {
			assertThat(attempts(server.port(), server::attempts, output,
					List.of("Redis cannot be reached", "spring.data.redis.host", "spring.data.redis.port")))
				.as("a lost connection repeats calls that change nothing")
				.isLessThanOrEqualTo(2 * (LOOPS * TRIES + Tier.choose(SWEEP, 0)));
		}
	}

	@Test
	void outdatedRedis(CapturedOutput output) {
		try (RedisNode redis = OldRedis.start(); Jedis jedis = new Jedis("127.0.0.1", redis.port())) {
			assertThat(attempts(redis.port(), () -> info(jedis, "stats", "total_commands_processed:"), output,
					List.of("asynq needs Redis 6.2", "spring.data.redis.host")))
				.isLessThanOrEqualTo(LOOPS * TRIES * 4);
		}
	}

	@Test
	void clusterConfiguredAsSingleNode(CapturedOutput output) {
		String[] node = TestRedisCluster.shared().nodes().get(0).split(":");
		int port = Integer.parseInt(node[1]);
		try (Jedis jedis = new Jedis(node[0], port)) {
			assertThat(attempts(port, () -> info(jedis, "stats", "total_commands_processed:"), output,
					List.of("spring.data.redis.cluster.nodes")))
				.isLessThanOrEqualTo(LOOPS * TRIES * 4);
		}
	}

	/**
	 * Runs an application and returns its number of tries in {@link #SECONDS}.
	 */
	private static long attempts(int port, LongSupplier counter, CapturedOutput output, List<String> said,
			String... properties) {
		try (ConfigurableApplicationContext context = TestApplication.run(TestApplication.class, port, properties)) {
			long before = counter.getAsLong();
			long start = System.nanoTime();
			// A rate can only be measured over time: no signal ends this sooner
			Awaitility.await().forever().until(() -> System.nanoTime() - start >= TimeUnit.SECONDS.toNanos(SECONDS));
			long attempts = (counter.getAsLong() - before) * SECONDS * 1_000_000_000L / (System.nanoTime() - start);
			Health health = context.getBean(AsynqHealthIndicator.class).health();
			assertThat(health.getStatus()).isEqualTo(Status.DOWN);
			assertThat(health.getDetails().get("error")).asString().contains(said);
			List<String> warnings = output.getOut()
				.lines()
				.filter((line) -> line.contains(" WARN ") || line.contains(" ERROR "))
				.toList();
			assertThat(warnings).as("one line every three seconds").hasSizeBetween(1, SECONDS / 3 + 2);
			assertThat(warnings).allSatisfy((line) -> assertThat(line).contains(said));
			return attempts;
		}
	}

	private static long info(Jedis jedis, String section, String name) {
		return jedis.info(section)
			.lines()
			.filter((line) -> line.startsWith(name))
			.mapToLong((line) -> Long.parseLong(line.substring(name.length()).trim()))
			.findFirst()
			.orElseThrow();
	}

}
