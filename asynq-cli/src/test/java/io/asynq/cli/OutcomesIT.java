package io.asynq.cli;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.cli.Outcomes.Outcome;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.server.TestServer;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@ExtendWith(RedisExtension.class)
class OutcomesIT {

	@Test
	void tellsWhatHasHappened(TestRedis redis, RedisConnectionFactory connections) {
		Settings settings = new Settings(Map.of("uri", redis.uri().toString()), Map.of(), Map.of());
		try (Session session = Session.open(settings, Clock.systemUTC())) {
			Outcomes outcomes = new Outcomes(session, List.of());
			assertThat(outcomes.isNew()).isTrue();
			assertThat(outcomes.look()).isEmpty();
			assertThat(outcomes.isNew()).isFalse();
			enqueue(session, "kept", TaskOptions.of((options) -> options.retention(Duration.ofHours(1))));
			enqueue(session, "gone", TaskOptions.none());
			enqueue(session, "again", TaskOptions.of((options) -> options.maxRetry(3)));
			enqueue(session, "never", TaskOptions.of((options) -> options.maxRetry(0)));
			List<Outcome> seen = new ArrayList<>();
			try (TestServer server = TestServer.builder(connections).handling((task, context) -> {
				if (task.type().equals("again") || task.type().equals("never")) {
					throw new IllegalStateException("no\nway");
				}
				return null;
			}).start()) {
				await().untilAsserted(() -> {
					seen.addAll(outcomes.look());
					assertThat(counted(seen)).isEqualTo(4);
				});
				assertThat(server.server().statistics()).isNotNull();
			}
			assertThat(seen.stream().filter((outcome) -> outcome.task() != null)).extracting(Outcome::what)
				.containsExactlyInAnyOrder("completed", "retry", "archived");
			assertThat(seen.stream().map(Outcome::line))
				.anyMatch((line) -> line.endsWith("  default  completed  kept  kept"))
				.anyMatch((line) -> line.contains("  default  retry  again  again  1/3  ") && line.contains("no\\nway"))
				.noneMatch((line) -> line.contains("gone"));
			assertThat(outcomes.look()).isEmpty();
		}
	}

	/** Its clock is behind, or it stood still before it wrote the outcome. */
	@Test
	void tellsOfTaskThatHasFailedSecondsAgoByTheClockOfItsServer(TestRedis redis, RedisConnectionFactory connections) {
		Settings settings = new Settings(Map.of("uri", redis.uri().toString()), Map.of(), Map.of());
		Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
		try (Session session = Session.open(settings, Clock.fixed(now, ZoneOffset.UTC))) {
			Outcomes outcomes = new Outcomes(session, List.of());
			assertThat(outcomes.look()).isEmpty();
			RedisState state = new RedisState(connections);
			state.redis().opsForSet().add("asynq:queues", "default");
			state.seedArchived(now, failed("behind", now.minusSeconds(8)), failed("old", now.minusSeconds(60)));
			state.redis().opsForValue().set("asynq:{default}:processed", "1");
			assertThat(outcomes.look()).filteredOn((outcome) -> outcome.task() != null)
				.extracting((outcome) -> outcome.task().id())
				.containsExactly("behind");
			state.redis().opsForValue().set("asynq:{default}:processed", "2");
			assertThat(outcomes.look()).extracting(Outcome::what).containsExactly("counted");
		}
	}

	private static TaskMessage failed(String id, Instant at) {
		return RedisState.message("default", id)
			.errorMessage("no way")
			.lastFailedAtSeconds(at.getEpochSecond())
			.build();
	}

	private static long counted(List<Outcome> outcomes) {
		return outcomes.stream()
			.map(Outcome::count)
			.filter((count) -> count != null)
			.mapToLong(Outcome.Count::processed)
			.sum();
	}

	private static void enqueue(Session session, String type, TaskOptions options) {
		session.client().enqueue(Task.of(type, "x"), options.toBuilder().taskId(type).build());
	}

}
