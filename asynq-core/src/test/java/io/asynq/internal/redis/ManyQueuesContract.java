package io.asynq.internal.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.asynq.TaskState;
import io.asynq.inspect.QueueStats;
import io.asynq.internal.inspect.ManyQueues;
import io.asynq.internal.inspect.ManyQueues.Answer;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * How many queues are read together.
 */
@OnDrivers
class ManyQueuesContract extends BrokerContract {

	private static final List<String> QUEUES = List.of("a", "b", "User:42", "q\"\n\uD83D\uDE00");

	private final ManyQueues many = this.broker.manyQueues();

	ManyQueuesContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void readsWhatIsReadOneByOne() {
		seed();
		assertThat(this.many.names()).containsExactlyInAnyOrderElementsOf(QUEUES);
		Answer<QueueStats> answer = this.many.stats(QUEUES);
		assertThat(answer.errors()).isEmpty();
		assertThat(answer.values()).containsOnlyKeys(QUEUES);
		answer.values().forEach((queue, stats) -> assertThat(stats).as(queue).isEqualTo(one(queue)));
		assertThat(answer.values().get("b").sizes()).containsEntry(TaskState.PENDING, 2L)
			.containsEntry(TaskState.AGGREGATING, 2L);
	}

	@Test
	void estimatesMemoryAsOneByOne() {
		seed();
		Answer<Long> answer = this.many.memoryUsage(this.many.stats(QUEUES).values());
		assertThat(answer.errors()).isEmpty();
		assertThat(answer.values()).containsOnlyKeys(QUEUES);
		answer.values()
			.forEach((queue, bytes) -> assertThat(bytes).as(queue)
				.isEqualTo(this.broker.queues().memoryUsage(queue))
				.isPositive());
	}

	@Test
	void queueThatDoesNotExistIsEmpty() {
		assertThat(this.many.names()).isEmpty();
		assertThat(this.many.stats(List.of()).values()).isEmpty();
		assertThat(this.many.stats(List.of("nobody")).values().get("nobody").sizes().values()).containsOnly(0L);
		assertThat(this.many.memoryUsage(this.many.stats(List.of("nobody")).values()).values()).containsEntry("nobody",
				0L);
	}

	@Test
	void keysOfWrongTypeHarmNoOtherQueue() {
		seed();
		for (String key : List.of("pending", "active", "retry", "groups", "processed")) {
			this.state.redis().delete("asynq:{a}:" + key);
			this.state.redis().opsForHash().put("asynq:{a}:" + key, "some", "thing");
		}
		Answer<QueueStats> answer = this.many.stats(QUEUES);
		assertThat(answer.errors()).isEmpty();
		assertThat(answer.values().get("a").sizes().values()).containsOnly(0L);
		assertThat(answer.values().get("b")).isEqualTo(one("b"));
		assertThat(this.many.memoryUsage(answer.values()).values()).containsEntry("a", 0L)
			.containsEntry("b", this.broker.queues().memoryUsage("b"));
	}

	@Test
	void countsActiveTasksWhoseLeaseHasBeenOverForMoreThanHalfAMinute() {
		Instant now = this.clock.instant();
		this.state.seedActive(now.minusSeconds(31), RedisState.message("a", "lost").build());
		this.state.seedActive(now.minusSeconds(3600), RedisState.message("a", "long lost").build());
		this.state.seedActive(now.minusSeconds(30), RedisState.message("a", "about to be recovered").build());
		this.state.seedActive(now.plusSeconds(20), RedisState.message("a", "at work").build());
		this.state.seedActive(now.plusSeconds(20), RedisState.message("b", "at work").build());
		this.state.redis().opsForValue().set("asynq:{text}:lease", "no sorted set");
		assertThat(this.many.stats(List.of("a", "b", "text", "nobody")).values())
			.hasEntrySatisfying("a", (stats) -> assertThat(stats.orphaned()).isEqualTo(2))
			.hasEntrySatisfying("b", (stats) -> assertThat(stats.orphaned()).isZero())
			.hasEntrySatisfying("text", (stats) -> assertThat(stats.orphaned()).isZero())
			.hasEntrySatisfying("nobody", (stats) -> assertThat(stats.orphaned()).isZero());
		assertThat(one("a").orphaned()).isEqualTo(2);
	}

	@Test
	void countsGroupsThatAreManyTogether() {
		for (String queue : List.of("a", "b")) {
			String[] groups = IntStream.range(0, 600).mapToObj((i) -> "g" + i).toArray(String[]::new);
			this.state.redis().opsForSet().add("asynq:{" + queue + "}:groups", groups);
			this.state.redis().opsForZSet().add("asynq:{" + queue + "}:g:g7", "t1", 1);
			this.state.redis().opsForZSet().add("asynq:{" + queue + "}:g:g599", "t2", 1);
		}
		this.many.stats(List.of("a", "b")).values().forEach((queue, stats) -> {
			assertThat(stats.groups()).as(queue).isEqualTo(600);
			assertThat(stats.sizes()).as(queue).containsEntry(TaskState.AGGREGATING, 2L);
		});
	}

	@Test
	void readsThousandQueuesInThreeSeconds() {
		List<String> queues = IntStream.range(0, 1000).mapToObj((i) -> "queue-" + i).toList();
		this.state.redis().opsForSet().add("asynq:queues", queues.toArray(String[]::new));
		queues.forEach((queue) -> this.state.redis()
			.opsForValue()
			.set("asynq:{" + queue + "}:processed", queue.substring("queue-".length())));
		// Loads the script
		this.many.stats(List.of("queue-0"));
		Map<String, QueueStats> stats = this.many.stats(this.many.names()).values();
		assertThat(stats).hasSize(1000);
		stats.forEach((queue, its) -> assertThat("queue-" + its.total().processed()).isEqualTo(queue));
		// The fastest of many: a machine under load may stand still meanwhile
		await().untilAsserted(() -> {
			long begin = System.nanoTime();
			this.many.stats(this.many.names());
			assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(3));
		});
	}

	private void seed() {
		this.state.redis().opsForSet().add("asynq:queues", QUEUES.toArray(String[]::new));
		for (int i = 0; i < QUEUES.size(); i++) {
			String queue = QUEUES.get(i);
			TaskMessage[] pending = IntStream.rangeClosed(0, i)
				.mapToObj((number) -> RedisState.message(queue, "p" + number).build())
				.toArray(TaskMessage[]::new);
			this.state.seedPending(pending);
			Instant later = this.clock.instant().plusSeconds(60);
			this.state.seedRetry(later, RedisState.message(queue, "r").build());
			this.state.seedActive(later, RedisState.message(queue, "a").build());
			this.state.seedGrouped(later, RedisState.message(queue, "g1").group("one").build(),
					RedisState.message(queue, "g2").group("two").build());
			this.state.redis().opsForValue().set("asynq:{" + queue + "}:processed:" + DAY, "1" + i);
			this.state.redis().opsForValue().set("asynq:{" + queue + "}:failed", "2" + i);
		}
		this.state.redis().opsForValue().set("asynq:{b}:paused", "1");
	}

	private QueueStats one(String queue) {
		return this.broker.queues().stats(queue).orElseThrow();
	}

}
