package io.asynq.internal.redis;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Objects;

import io.asynq.TaskState;
import io.asynq.group.GroupLimits;
import io.asynq.inspect.QueueStats;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.group.StagedGroup;
import io.asynq.internal.inspect.TaskMove;
import io.asynq.internal.limit.SemaphoreStore.Token;
import io.asynq.internal.schedule.Fire;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.Outcome;
import io.asynq.test.RedisExtension;
import io.asynq.test.SameDay;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What servers agree on follows the time of Redis, whatever their own clocks show.
 */
@ExtendWith(RedisExtension.class)
class RedisTimeIT {

	private static final String QUEUE = "default";

	private final RedisConnectionFactory factory;

	private final RedisState state;

	private final RedisBroker ahead;

	/** So far ahead that all archived tasks look too old. */
	private final RedisBroker farAhead;

	private final long start;

	RedisTimeIT(RedisConnectionFactory factory) {
		this.factory = factory;
		this.state = new RedisState(factory);
		this.ahead = broker(Duration.ofHours(1));
		this.farAhead = broker(Duration.ofDays(100));
		this.start = redisSeconds();
	}

	@Test
	void leasesExpireByRedisTime() {
		this.state.seedPending(RedisState.message(QUEUE, "t1").build());
		LeasedTask task = this.ahead.dequeuer().dequeue(QUEUE, 1).tasks().get(0);
		assertLease(task);
		this.ahead.upkeep().extend(QUEUE, List.of(task.lease()));
		assertLease(task);
		this.state.redis().delete("asynq:{default}:lease");
		this.ahead.upkeep().attachLease(QUEUE, List.of("t1"), RedisBroker.DEFAULT_LEASE_DURATION);
		assertLease(task);
	}

	@Test
	void clockAheadTakesNoHeldToken() {
		RedisBroker other = broker(Duration.ZERO);
		assertThat(other.semaphores().acquire("api", 1, new Token("t1", "a", Duration.ofMinutes(1)))).isTrue();
		assertThat(this.ahead.semaphores().acquire("api", 1, new Token("t2", "b", Duration.ofMinutes(1)))).isFalse();
	}

	@Test
	void forwardsByRedisTime() {
		Instant now = Instant.ofEpochSecond(this.start);
		this.state.seedScheduled(now.plusSeconds(1800), RedisState.message(QUEUE, "later").build());
		this.state.seedScheduled(now.minusSeconds(1), RedisState.message(QUEUE, "due").build());
		assertThat(this.ahead.upkeep().forward(QUEUE).moved()).isEqualTo(1);
		this.state.assertPending(QUEUE, "due");
		this.state.assertScheduled(QUEUE, "later");
	}

	@Test
	void clockFarAheadDoesNotTrimArchive() {
		this.state.seedArchived(Instant.ofEpochSecond(this.start), message("kept"));
		this.state.seedPending(message("failed"), message("unreadable"));
		this.state.seedField(QUEUE, "unreadable", "msg", new byte[] { 1 });
		LeasedTask failed = this.farAhead.dequeuer().dequeue(QUEUE, 2).tasks().get(0);
		this.farAhead.completer().report(List.of(new Outcome.Archive(failed, "boom")));
		this.state.seedRetry(Instant.ofEpochSecond(this.start + 60), message("one"), message("all"));
		this.farAhead.tasks().move(QUEUE, TaskMove.ARCHIVE, List.of("one"));
		this.farAhead.tasks().moveAll(QUEUE, TaskMove.ARCHIVE, TaskState.RETRY);
		this.state.seedGrouped(Instant.EPOCH, grouped("rejected"));
		StagedGroup staged = stage(this.farAhead);
		this.farAhead.groups().archive(staged, List.of(grouped("rejected")), "no use");
		this.state.assertArchived(QUEUE, "kept", "failed", "unreadable", "one", "all", "rejected");
		assertThat(this.state.scores(QUEUE, "archived").values()).allSatisfy(this::assertPresent);
	}

	@Test
	void attemptsCountForDayOfRedis() {
		LocalDate today = SameDay.begin();
		this.state.seedPending(message("done"), message("failed"));
		List<LeasedTask> tasks = this.farAhead.dequeuer().dequeue(QUEUE, 2).tasks();
		this.farAhead.completer()
			.report(List.of(new Outcome.Done(tasks.get(0)), new Outcome.Archive(tasks.get(1), "boom")));
		this.state.assertCounters(QUEUE, today, 2, 1);
		QueueStats stats = this.farAhead.queues().stats(QUEUE).orElseThrow();
		assertThat(List.of(stats.today().processed(), stats.today().failed())).containsExactly(2L, 1L);
	}

	@Test
	void groupsAreDueByRedisTime() {
		this.ahead.enqueuer().enqueue(new EnqueueRequest(grouped("t1"), new Placement.Grouped(), null));
		this.ahead.enqueuer().enqueueAll(List.of(new EnqueueRequest(grouped("t2"), new Placement.Grouped(), null)));
		this.ahead.schedulers()
			.enqueue(new EnqueueRequest(grouped("t3"), new Placement.Grouped(), null),
					new Fire("entry", Instant.ofEpochSecond(this.start), "scheduler", false, false));
		assertThat(this.state.scores(QUEUE, "g:g").values()).hasSize(3).allSatisfy(this::assertPresent);
		GroupLimits limits = GroupLimits.defaults().withGracePeriod(Duration.ofMinutes(30));
		assertThat(this.farAhead.groups().due(QUEUE, limits, null).groups()).isEmpty();
		assertThat(this.farAhead.groups().stage(QUEUE, "g", limits)).isNull();
		this.state.seedGrouped(Instant.ofEpochSecond(this.start - 2),
				RedisState.message(QUEUE, "t4").group("h").build());
		RedisBroker behind = broker(Duration.ofHours(-1));
		assertThat(behind.groups().due(QUEUE, limits.withGracePeriod(Duration.ofSeconds(1)), null).groups())
			.contains("h");
	}

	@Test
	void stagedSetsReturnByRedisTime() {
		this.state.seedGrouped(Instant.EPOCH, grouped("t1"));
		stage(broker(Duration.ofHours(-1)));
		assertThat(this.ahead.groups().relist(QUEUE).sets()).isZero();
		assertThat(this.state.scores(QUEUE, "aggregation_sets").values()).singleElement()
			.satisfies((score) -> assertPresent(score - 120));
	}

	@Test
	void clockAheadDoesNotMakeTaskLookOrphaned() {
		this.state.seedActive(Instant.ofEpochSecond(this.start + 60), message("held"));
		assertThat(this.ahead.tasks().list(QUEUE, TaskState.ACTIVE, 0, 10)).singleElement()
			.satisfies((task) -> assertThat(task.orphaned()).isFalse());
	}

	private RedisBroker broker(Duration ahead) {
		return new RedisBroker(this.factory, Clock.offset(Clock.systemUTC(), ahead), RedisBroker.DEFAULT_LEASE_DURATION,
				(task) -> {
				});
	}

	private static TaskMessage message(String id) {
		return RedisState.message(QUEUE, id).build();
	}

	private static TaskMessage grouped(String id) {
		return RedisState.message(QUEUE, id).group("g").build();
	}

	private static StagedGroup stage(RedisBroker broker) {
		return Objects.requireNonNull(broker.groups().stage(QUEUE, "g", GroupLimits.defaults()), "not due");
	}

	private void assertPresent(long score) {
		assertThat(score).isBetween(this.start, redisSeconds());
	}

	private void assertLease(LeasedTask task) {
		assertThat(this.state.scores(QUEUE, "lease").get(task.message().id())).isBetween(this.start + 30,
				redisSeconds() + 30);
	}

	private long redisSeconds() {
		try (RedisConnection connection = this.factory.getConnection()) {
			return connection.serverCommands().time() / 1000;
		}
	}

}
