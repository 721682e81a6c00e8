package io.asynq.sample;

import java.time.Duration;

import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The whole application, started as its users start it.
 */
@ExtendWith(OutputCaptureExtension.class)
class SampleApplicationIT {

	private static final Duration LONG = Duration.ofSeconds(60);

	@Test
	void processesOrdersAndReportsSalesOnEmbeddedRedisThatEndsAfterServer(CapturedOutput output) {
		try (ConfigurableApplicationContext context = start("--sample.orders=30")) {
			assertThat(output).contains("No Redis is configured").contains("started an embedded one on 127.0.0.1:");
			await().atMost(LONG).until(() -> output.getOut().contains("Summary: "));
			assertThat(output).containsPattern(
					"Summary: all 30 orders worked off .*: placed 30, processed 93, failed 3, retried 3, pending 0");
			assertThat(context.getBean(OrderStore.class).size()).isEqualTo(30);
			await().atMost(LONG).until(() -> output.getOut().contains("Sales: "));
			assertThat(output).containsPattern("Sales: 30 invoices, \\d+\\.\\d\\d");
			assertThat(context.isRunning()).isTrue();
		}
		assertThat(output.getOut()).containsSubsequence("asynq server stopped", "Embedded Redis on", "stopped");
		assertThat(output).doesNotContain("\tat ");
	}

	@Test
	void countsOnlyTasksSinceStartOnConfiguredRedis(CapturedOutput output) {
		TestRedis redis = TestRedis.startOwn();
		JedisConnectionFactory factory = RedisExtension.connectionFactory(redis);
		try (RedisConnection connection = factory.getConnection()) {
			earlierRun(connection);
			try (ConfigurableApplicationContext context = start("--sample.orders=20",
					"--spring.data.redis.url=" + redis.uri())) {
				await().atMost(LONG).until(() -> output.getOut().contains("Summary: "));
				assertThat(context.getBeansOfType(RedisConnectionFactory.class)).hasSize(1);
			}
			assertThat(output).doesNotContain("embedded")
				.containsPattern("Summary: all 20 .*: placed 20, processed 62, failed 2, retried 2, pending 0");
			assertThat(connection.stringCommands().get("asynq:{critical}:processed".getBytes()))
				.isEqualTo("1022".getBytes());
			assertThat(connection.zSetCommands().zCard("asynq:{low}:completed".getBytes())).isEqualTo(20);
		}
		finally {
			factory.destroy();
			redis.stop();
		}
	}

	private static void earlierRun(RedisConnection connection) {
		connection.setCommands().sAdd("asynq:queues".getBytes(), "critical".getBytes());
		connection.stringCommands().set("asynq:{critical}:processed".getBytes(), "1000".getBytes());
		connection.stringCommands().set("asynq:{critical}:failed".getBytes(), "50".getBytes());
	}

	static ConfigurableApplicationContext start(String... arguments) {
		boolean virtualThreads = Boolean.getBoolean("asynq.test.virtual-threads");
		return SpringApplication.run(SampleApplication.class, StringUtils.concatenateStringArrays(arguments,
				new String[] { "--server.port=0", "--spring.threads.virtual.enabled=" + virtualThreads }));
	}

}
