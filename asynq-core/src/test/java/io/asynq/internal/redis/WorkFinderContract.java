package io.asynq.internal.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

import io.asynq.internal.lane.WorkFinder;
import io.asynq.internal.lane.WorkFinder.Found;
import io.asynq.internal.lane.WorkFinder.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which of many queues have work.
 */
@OnDrivers({ Driver.STANDALONE, Driver.LETTUCE })
class WorkFinderContract extends BrokerContract {

	private static final List<String> QUEUES = List.of("a", "default", "q\"\n\uD83D\uDE00");

	private final WorkFinder finder = this.broker.work();

	WorkFinderContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@ParameterizedTest
	@EnumSource
	void emptyQueueHasNoWork(Kind kind) {
		Found found = this.finder.find(kind, QUEUES);
		assertThat(found.next()).isEmpty();
		assertThat(found.now()).isEqualTo(this.clock.instant());
		assertThat(found.isDue("a")).isFalse();
	}

	@Test
	void forwardingIsDueWithEarliestOfScheduledAndRetry() {
		this.state.seedScheduled(in(9), message("late"));
		this.state.seedScheduled(in(7), message("earlier"));
		this.state.seedRetry(in(4), message("earliest"));
		assertThat(this.finder.find(Kind.FORWARD, QUEUES).next()).containsOnlyKeys(QUEUE).containsEntry(QUEUE, in(4));
		assertThat(this.finder.find(Kind.FORWARD, QUEUES).isDue(QUEUE)).isFalse();
		this.clock.advance(Duration.ofSeconds(4));
		assertThat(this.finder.find(Kind.FORWARD, QUEUES).isDue(QUEUE)).isTrue();
	}

	@Test
	void activeTaskOrLeaseIsWorkWhicheverRemains() {
		this.state.seedActive(in(30), message("running"));
		assertThat(found(Kind.RECOVER)).isTrue();
		this.state.redis().delete("asynq:{default}:lease");
		assertThat(found(Kind.RECOVER)).as("without a lease").isTrue();
		this.state.seedActive(in(30), message("running"));
		this.state.redis().delete("asynq:{default}:active");
		assertThat(found(Kind.RECOVER)).as("only a lease").isTrue();
		assertThat(found(Kind.RECOVER_AND_SWEEP)).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "asynq:{default}:aggregation_sets", "asynqj:{default}:groups", "asynqj:{default}:aggregated",
			"asynqj:{default}:aggregators", "asynq:{default}:groups" })
	void remainsOfAggregationsAreWorkOfSweepOnly(String key) {
		this.state.redis().opsForZSet().add(key, "some", 1);
		assertThat(found(Kind.RECOVER_AND_SWEEP)).isTrue();
		assertThat(found(Kind.RECOVER)).isFalse();
	}

	@Test
	void cleaningIsDueAtEndOfFirstRetention() {
		this.state.seedCompleted(in(60), message("kept"));
		assertThat(this.finder.find(Kind.CLEAN, QUEUES).next()).containsOnlyKeys(QUEUE).containsEntry(QUEUE, in(60));
		this.state.seedCompleted(in(-1), message("old"));
		assertThat(found(Kind.CLEAN)).isTrue();
	}

	@Test
	void interruptedDeletionIsWorkOfCleaning() {
		this.state.redis().opsForSet().add("asynqj:{default}:deleted", "asynqj:{default}:deleted:x");
		assertThat(found(Kind.CLEAN)).isTrue();
	}

	@Test
	void groupsAreWorkOfAggregation() {
		this.state.seedGrouped(in(0), RedisState.message(QUEUE, "t1").group("g").build());
		assertThat(found(Kind.AGGREGATE)).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "FORWARD,scheduled", "FORWARD,retry", "CLEAN,completed", "RECOVER,lease", "RECOVER,active",
			"AGGREGATE,groups" })
	void keyOfWrongTypeIsWorkOfItsQueueOnly(Kind kind, String key) {
		this.state.redis().opsForValue().set("asynq:{default}:" + key, "text");
		Found found = this.finder.find(kind, QUEUES);
		assertThat(found.next()).containsOnlyKeys(QUEUE);
		assertThat(found.isDue(QUEUE)).isTrue();
	}

	@Test
	void findsWorkAmongThousandQueues() {
		List<String> queues = IntStream.range(0, 1000).mapToObj((i) -> "queue-" + i).toList();
		for (String queue : List.of("queue-0", "queue-255", "queue-256", "queue-999")) {
			this.state.seedScheduled(in(5), RedisState.message(queue, "t1").build());
		}
		assertThat(this.finder.find(Kind.FORWARD, queues).next()).containsOnlyKeys("queue-0", "queue-255", "queue-256",
				"queue-999");
	}

	private boolean found(Kind kind) {
		Found found = this.finder.find(kind, QUEUES);
		assertThat(found.isDue("a")).isFalse();
		return found.isDue(QUEUE);
	}

	private Instant in(int seconds) {
		return Instant.ofEpochSecond(nowSeconds() + seconds);
	}

	private static TaskMessage message(String id) {
		return RedisState.message(QUEUE, id).build();
	}

}
