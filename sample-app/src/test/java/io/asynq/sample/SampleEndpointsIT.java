package io.asynq.sample;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.asynq.AsynqClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.client.RestClient;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The whole application, as its users reach it over HTTP.
 */
@Tag("slow")
@ExtendWith(OutputCaptureExtension.class)
class SampleEndpointsIT {

	private static final Duration LONG = Duration.ofSeconds(60);

	/** Due times are whole seconds. */
	private static final Duration MAIL_DELAY = Duration.ofSeconds(1);

	private static final Map<String, Object> ORDER = Map.of("customer", "ada@example.com", "item", "Book", "quantity",
			2, "price", "19.90");

	/** Without orders at its start. */
	private static ConfigurableApplicationContext idle;

	@BeforeAll
	static void start() {
		idle = SampleApplicationIT.start("--sample.orders=0",
				"--management.endpoints.web.exposure.include=health,prometheus,asynq",
				"--management.endpoint.asynq.access=unrestricted");
	}

	@AfterAll
	static void stop() {
		idle.close();
	}

	@Test
	void keepsAcceptingOrders(CapturedOutput output) {
		RestClient http = http(idle);
		long begun = System.nanoTime();
		ResponseEntity<JsonNode> placed = http.post()
			.uri("/orders")
			.contentType(MediaType.APPLICATION_JSON)
			.body(ORDER)
			.retrieve()
			.toEntity(JsonNode.class);
		assertThat(placed.getStatusCode().value()).isEqualTo(201);
		String location = String.valueOf(placed.getHeaders().getLocation());
		String early = state(http, location, "confirmation");
		if (System.nanoTime() - begun < MAIL_DELAY.toNanos()) {
			assertThat(early).isIn("deferred", "scheduled");
		}
		for (String task : List.of("payment", "confirmation")) {
			await().atMost(LONG).until(() -> "done".equals(state(http, location, task)));
		}
		await().atMost(LONG).until(() -> "completed".equals(state(http, location, "invoice")));
		assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(MAIL_DELAY);
		JsonNode tasks = http.get().uri(location).retrieve().body(JsonNode.class).path("tasks");
		assertThat(tasks.at("/invoice/result/number").asString()).isEqualTo("INV-000001");
		assertThat(tasks.at("/invoice/result/amount").decimalValue()).isEqualByComparingTo("39.80");
		exhaustPayment(location.substring(location.lastIndexOf('/') + 1));
		await().atMost(LONG)
			.until(() -> http.get().uri(location).retrieve().body(JsonNode.class).path("unpaid").asBoolean());
		assertThat(output).doesNotContain("Summary: ");
	}

	@Test
	void exposesHealthAndMetrics() {
		try (ConfigurableApplicationContext context = SampleApplicationIT.start("--sample.orders=10")) {
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
	void isReadyOnlyWithRedisAtWhichOneIndicatorLooks() {
		RestClient http = http(idle);
		JsonNode readiness = http.get().uri("/actuator/health/readiness").retrieve().body(JsonNode.class);
		assertThat(readiness.at("/components/asynq/status").asString()).isEqualTo("UP");
		JsonNode health = http.get().uri("/actuator/health").retrieve().body(JsonNode.class);
		assertThat(health.at("/components/redis").isMissingNode()).isTrue();
	}

	@Test
	void refusedCallsOfTheActuatorAreNotAnsweredAsOrders() {
		ResponseEntity<String> answer = http(idle).post()
			.uri("/actuator/asynq/run")
			.contentType(MediaType.APPLICATION_JSON)
			.body(Map.of("queue", List.of("low")))
			.retrieve()
			.onStatus((status) -> true, (request, response) -> {
			})
			.toEntity(String.class);
		assertThat(answer.getStatusCode().value()).isEqualTo(400);
		assertThat(answer.getBody()).doesNotContain("customer");
	}

	private static void exhaustPayment(String order) {
		idle.getBean(AsynqClient.class)
			.enqueue(new ChargePayment(order, 10, BigDecimal.ONE), (options) -> options.maxRetry(0));
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

	private static RestClient http(ConfigurableApplicationContext context) {
		return RestClient.create("http://localhost:" + context.getEnvironment().getProperty("local.server.port"));
	}

}
