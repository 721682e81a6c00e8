package io.asynq.operations.survey;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.fleet.ServerSnapshot;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.ServerIdentity;
import io.asynq.operations.preflight.StoreSurvey;
import io.asynq.server.QueueWeights;
import io.asynq.test.RedisClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What people see of queues that lie on several nodes.
 */
@ExtendWith(RedisClusterExtension.class)
class SurveyClusterIT {

	@Test
	void seesWhatLiesOnAllNodes(RedisConnectionFactory factory) {
		Clock clock = Clock.systemUTC();
		RedisState state = new RedisState(factory);
		RedisBroker broker = new RedisBroker(factory, clock, RedisBroker.DEFAULT_LEASE_DURATION, (broken) -> {
		});
		List<String> names = List.of("a", "b", "c", "d", "e");
		for (String name : names) {
			state.seedArchived(clock.instant(), RedisState.message(name, "t1").errorMessage("boom 1").build());
			state.seedRetry(clock.instant().plusSeconds(90),
					RedisState.message(name, "t2").errorMessage("boom 2").build());
			state.redis().opsForValue().set("asynq:{" + name + "}:paused", "1700000000");
		}
		ServerIdentity identity = new ServerIdentity("host", 7, "uuid");
		broker.servers().enlist(identity, Duration.ofSeconds(60));
		broker.servers()
			.write(new ServerSnapshot(identity, 10, new QueueWeights(Map.of("a", 1), false), "active", clock.instant(),
					List.of(), Map.of()), Duration.ofSeconds(60));
		QueueBoard.Board board = new QueueBoard(broker, clock).read();
		assertThat(board.totals()).containsEntry(TaskState.ARCHIVED, 5L).containsEntry(TaskState.RETRY, 5L);
		assertThat(new TaskSurvey(broker).pausedSince(names)).hasSize(5)
			.containsEntry("e", Instant.ofEpochSecond(1_700_000_000));
		assertThat(new TaskSurvey(broker).retriesAhead("a", Duration.ofMinutes(1), 30)
			.stream()
			.mapToLong(Long::longValue)
			.sum()).isEqualTo(1);
		assertThat(new TaskSurvey(broker).standing(broker.tasks().find("b", "t1").orElseThrow()).lock()).isNull();
		assertThat(new FleetSurvey(broker, Clock.systemUTC()).look().live()).hasSize(1);
		assertThat(new StoreSurvey(broker).nodes()).hasSizeGreaterThan(1)
			.allSatisfy((node) -> assertThat(node.slots()).isPositive());
		TaskSearch search = new TaskSearch(broker, clock);
		assertThat(search
			.find(new TaskRange("c", TaskState.ARCHIVED, null), TaskFilter.parse("error:boom"), null, 10, TaskInfo::id)
			.entries()).containsExactly("t1");
		assertThat(new FailureGroups(search, clock).find(board.queues(), FailureGroups.STATES, null, null, TaskInfo::id)
			.groups()).singleElement().satisfies((group) -> assertThat(group.count()).isEqualTo(10));
	}

}
