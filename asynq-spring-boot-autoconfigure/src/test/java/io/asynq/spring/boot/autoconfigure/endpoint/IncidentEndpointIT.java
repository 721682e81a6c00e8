package io.asynq.spring.boot.autoconfigure.endpoint;

import java.time.Instant;

import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.redis.RedisState;
import io.asynq.operations.attention.Incident;
import io.asynq.spring.boot.autoconfigure.endpoint.EndpointApplication.Answer;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the endpoint says in an incident.
 */
class IncidentEndpointIT {

	@Test
	void attentionSaysWhatIsWrongAndSinceWhen() {
		TestRedis redis = TestRedis.startOwn();
		try (EndpointApplication application = EndpointApplication.withoutSecurity(redis)) {
			Instant begin = Instant.ofEpochSecond(Instant.now().getEpochSecond() - 300);
			Incident.seed(new RedisState(application.bean(RedisConnectionFactory.class)),
					application.bean(RedisBroker.class), begin);
			Answer answer = application.get("/actuator/asynq/attention");
			assertThat(answer.status()).isEqualTo(200);
			JsonNode found = answer.body().path("attention");
			assertThat(found.valueStream().map((one) -> one.path("kind").asString())).contains("failing",
					"periodic-failing", "dead-server", "queue-without-consumer");
			assertThat(found.valueStream().filter((one) -> one.path("kind").asString().equals("failing")))
				.singleElement()
				.satisfies((one) -> {
					assertThat(one.path("severity").asString()).isEqualTo("error");
					assertThat(one.path("since").asString()).isEqualTo(begin.toString());
					assertThat(one.path("items").path(0).path("queue").asString()).isEqualTo("mail");
				});
		}
		finally {
			redis.stop();
		}
	}

}
