package io.asynq.sample;

import java.time.Duration;
import java.util.Map;

import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.util.StringUtils;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The whole application, started as its users start it.
 */
@ExtendWith(OutputCaptureExtension.class)
class SampleApplicationIT {

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final Map<String, Object> ORDER = Map.of("customer", "ada@example.com", "item", "Book", "quantity",
			2, "price", "19.90");

	@Test
	void processesOrdersOnEmbeddedRedisThatEndsAfterServer(CapturedOutput output) {
		try (ConfigurableApplicationContext context = start("--sample.orders=30")) {
			assertThat(output).contains("No Redis is configured").contains("started an embedded one on 127.0.0.1:");
			await().atMost(LONG).until(() -> output.getOut().contains("Summary: "));
			assertThat(output).containsPattern(
					"Summary: all 30 orders worked off .*: placed 30, processed 93, failed 3, retried 3, pending 0");
			assertThat(context.getBean(OrderStore.class).size()).isEqualTo(30);
		}
		assertThat(output.getOut()).containsSubsequence("asynq server stopped", "Embedded Redis on", "stopped");
		assertThat(output).doesNotContain("\tat ");
	}

	@Test
	void keepsAcceptingOrders(CapturedOutput output) {
		try (ConfigurableApplicationContext context = start("--sample.orders=0")) {
			RestClient http = http(context);
			ResponseEntity<JsonNode> placed = http.post()
				.uri("/orders")
				.contentType(MediaType.APPLICATION_JSON)
				.body(ORDER)
				.retrieve()
				.toEntity(JsonNode.class);
			assertThat(placed.getStatusCode().value()).isEqualTo(201);
			String location = String.valueOf(placed.getHeaders().getLocation());
			assertThat(state(http, location, "confirmation")).isEqualTo("scheduled");
			await().atMost(LONG).until(() -> "done".equals(state(http, location, "confirmation")));
			JsonNode tasks = http.get().uri(location).retrieve().body(JsonNode.class).path("tasks");
			assertThat(tasks.at("/payment/state").asString()).isEqualTo("done");
			assertThat(tasks.at("/invoice/state").asString()).isEqualTo("completed");
			assertThat(tasks.at("/invoice/result/number").asString()).isEqualTo("INV-000001");
			assertThat(tasks.at("/invoice/result/amount").decimalValue()).isEqualByComparingTo("39.80");
		}
		assertThat(output).doesNotContain("Summary: ");
	}

	@Test
	void aggregatesSalesReports(CapturedOutput output) {
		try (ConfigurableApplicationContext context = start("--sample.orders=25")) {
			await().atMost(LONG).until(() -> output.getOut().contains("Sales: "));
			assertThat(output).containsPattern("Sales: 25 invoices, \\d+\\.\\d\\d");
			assertThat(context.isRunning()).isTrue();
		}
	}

	@Test
	void exposesHealthAndMetrics() {
		try (ConfigurableApplicationContext context = start("--sample.orders=10")) {
			RestClient http = http(context);
			assertThat(http.get()
				.uri("/actuator/health")
				.retrieve()
				.body(JsonNode.class)
				.at("/components/asynq/status")
				.asString()).isEqualTo("UP");
			await().atMost(LONG)
				.untilAsserted(() -> assertThat(http.get().uri("/actuator/prometheus").retrieve().body(String.class))
					.contains("asynq_queue_size{", "asynq_queue_latency_seconds{", "asynq_queue_failures{")
					.containsPattern("asynq_tasks_failed_total\\{.*queue=\"critical\".*} 1\\.0")
					.containsPattern("asynq_tasks_processed_total\\{.*queue=\"critical\".*} 11\\.0")
					.containsPattern("asynq_tasks_processed_total\\{.*queue=\"low\".*} 10\\.0"));
		}
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

	private static String state(RestClient http, String location, String task) {
		return http.get()
			.uri(location)
			.retrieve()
			.body(JsonNode.class)
			.path("tasks")
			.path(task)
			.path("state")
			.asString();
	}

	private static ConfigurableApplicationContext start(String... arguments) {
		boolean virtualThreads = Boolean.getBoolean("asynq.test.virtual-threads");
		return SpringApplication.run(SampleApplication.class, StringUtils.concatenateStringArrays(arguments,
				new String[] { "--server.port=0", "--spring.threads.virtual.enabled=" + virtualThreads }));
	}

	private static RestClient http(ConfigurableApplicationContext context) {
		return RestClient.create("http://localhost:" + context.getEnvironment().getProperty("local.server.port"));
	}

}
