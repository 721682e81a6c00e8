package io.asynq.cli;

import java.time.Clock;
import java.time.Instant;

import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.redis.RedisState;
import io.asynq.operations.attention.Incident;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What {@code doctor} says in an incident.
 */
@ExtendWith(RedisExtension.class)
class IncidentIT {

	@Test
	void doctorSaysWhatIsWrongSinceWhenAndWhatToDo(TestRedis server, RedisConnectionFactory connections) {
		RedisBroker broker = new RedisBroker(connections, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION,
				(broken) -> {
				});
		Instant begin = Instant.ofEpochSecond(Instant.now().getEpochSecond() - 300);
		Incident.seed(new RedisState(connections), broker, begin);
		broker.close();
		TestShell shell = new TestShell(getClass(), server);
		TestShell.Ran doctor = shell.run("doctor");
		assertThat(doctor.code()).isEqualTo(1);
		assertThat(doctor.out()).doesNotContain("Nothing is wrong")
			.contains("error failing: mail: ", "970 of 1000 executions failed (97 %) (since " + begin + ")",
					"error queue-without-consumer: orphan: ", "error orphaned-tasks: images: ",
					"error periodic-failing: reports: ", "warning dead-server: ", "  To do: ");
		JsonNode all = new JsonMapper().readTree(shell.run("doctor", "-o", "json").out());
		assertThat(all.findValuesAsString("kind")).contains("failing", "dead-server");
		assertThat(shell.run("doctor", Incident.WELL.get(0)).out()).doesNotContain("mail");
	}

}
