package io.asynq.spring.boot.autoconfigure.endpoint;

import java.util.List;
import java.util.Map;

import io.asynq.AsynqClient;
import io.asynq.inspect.AsynqInspector;
import io.asynq.spring.boot.autoconfigure.endpoint.EndpointApplication.Answer;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.scheduler.NonBlocking;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The endpoint in a reactive web application.
 */
@Tag("full")
class WebFluxEndpointIT {

	private static TestRedis redis;

	@BeforeAll
	static void start() {
		redis = TestRedis.startOwn();
	}

	@AfterAll
	static void stop() {
		redis.stop();
	}

	@Test
	void looksActsAndExplainsErrors() {
		try (EndpointApplication application = start("unrestricted")) {
			String id = enqueue(application);
			JsonNode task = application.get("/actuator/asynq/task?queue=q&id=" + id).body();
			assertThat(task.path("type").asString()).isEqualTo("t");
			assertThat(task.path("payload").isNull() || task.path("payload").isMissingNode()).as("hidden").isTrue();
			assertThat(application.get("/actuator/asynq").body().path("queueCount").asInt()).isPositive();
			assertThat(application.post("/actuator/asynq/archive", Map.of("queue", "q", "id", id))
				.body()
				.path("done")
				.asInt()).isOne();
			Answer refused = application.post("/actuator/asynq/archive", Map.of("queue", "q"));
			assertThat(refused.status()).isEqualTo(400);
			assertThat(refused.contentType()).startsWith("application/problem+json");
			assertThat(refused.body().path("detail").asString()).contains("'state'");
			assertThat(application.delete("/actuator/asynq/queues?queue=q&force=true&expectedCount=1").status())
				.isEqualTo(200);
			assertThat(application.bean(AsynqInspector.class).queues()).isEmpty();
			assertThat(application.writers()).as("no event loop waits for Redis")
				.hasSize(3)
				.noneMatch(NonBlocking.class::isInstance)
				.allMatch((thread) -> thread.getName().startsWith("boundedElastic"));
		}
	}

	@ParameterizedTest(name = "access {0}")
	@CsvSource({ "none,404,404", "read-only,200,405" })
	void givesAccessAsTold(String access, int reads, int writes) {
		try (EndpointApplication application = start(access)) {
			enqueue(application);
			assertThat(List.of(application.get("/actuator/asynq").status(),
					application.get("/actuator/asynq/queues?queue=q").status()))
				.containsOnly(reads);
			assertThat(List.of(application.post("/actuator/asynq/pause", Map.of("queue", "q")).status(),
					application.delete("/actuator/asynq/queues?queue=q").status()))
				.containsOnly(writes);
		}
	}

	private static EndpointApplication start(String access) {
		return EndpointApplication.withWebFlux(redis, "management.endpoint.asynq.access=" + access);
	}

	private static String enqueue(EndpointApplication application) {
		return application.bean(AsynqClient.class)
			.enqueue("t", "secret".getBytes(), (options) -> options.queue("q"))
			.id();
	}

}
