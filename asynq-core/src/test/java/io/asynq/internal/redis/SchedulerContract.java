package io.asynq.internal.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

import io.asynq.BrokerException;
import io.asynq.DuplicateTaskException;
import io.asynq.TaskIdConflictException;
import io.asynq.TaskOptions;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.schedule.Fire;
import io.asynq.internal.schedule.SchedulerEntrySnapshot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.RedisCallback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How fires of periodic tasks are stored once, and what schedulers publish.
 */
@OnDrivers
class SchedulerContract extends BrokerContract {

	private static final String MARK = "asynqj:{default}:fire:nightly:";

	private static final String LAST = "asynqj:{default}:fired:nightly";

	private static final ServerIdentity ONE = new ServerIdentity("h1", 123, "one");

	private static final ServerIdentity TWO = new ServerIdentity("h1", 123, "two");

	private final Instant at = this.clock.instant().minusSeconds(1);

	SchedulerContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void concurrentFiresAreStoredOnce() {
		assertThat(fire(pending("t1"), "a")).isTrue();
		assertThat(fire(pending("t2"), "b")).isFalse();
		this.state.assertPending(QUEUE, "t1");
		assertThat(this.state.fields(QUEUE, "t1")).containsEntry("state", "pending")
			.containsEntry("pending_since", nowSeconds() + "123456789");
		assertThat(this.state.redis().opsForSet().members("asynq:queues")).containsExactly(QUEUE);
	}

	@Test
	void repeatedFireWithLostAnswerReturnsFirstResult() {
		fire(pending("t1"), "a");
		assertThat(fire(pending("t1"), "a")).isTrue();
		this.state.assertPending(QUEUE, "t1");
	}

	@Test
	void fireOfFinishedTaskIsNotRepeatedAndBlocksNoOther() {
		fire(pending("t1"), "a");
		this.state.redis().delete(List.of("asynq:{default}:t:t1", "asynq:{default}:pending"));
		this.state.seedArchived(this.at, RedisState.message(QUEUE, "t0").build());
		assertThat(fire(pending("t2"), "b")).isFalse();
		Fire next = new Fire("nightly", this.at.plusSeconds(1), "b", false, false);
		assertThat(this.broker.schedulers().enqueue(pending("t2"), next)).isTrue();
		this.state.assertPending(QUEUE, "t2");
	}

	@Test
	void markOfFireExpiresAfterOneDay() {
		fire(pending("t1"), "a");
		assertThat(this.state.redis().getExpire(MARK + this.at.getEpochSecond())).isBetween(86_390L, 86_400L);
		assertThat(this.state.redis().hasKey(LAST)).isFalse();
	}

	@Test
	void heldLockIsReportedToAllSchedulers() {
		EnqueueRequest unique = new EnqueueRequest(RedisState.message(QUEUE, "t1").build(), new Placement.Pending(),
				Duration.ofHours(1));
		String lock = Keys.of(QUEUE).unique("email:send", utf8("{\"user_id\":42}"));
		this.state.seedLock(lock, "other");
		assertThatExceptionOfType(DuplicateTaskException.class).isThrownBy(() -> fire(unique, "a"));
		this.state.redis().delete(lock);
		assertThat(fire(unique, "b")).isFalse();
		assertThatExceptionOfType(DuplicateTaskException.class).isThrownBy(() -> fire(unique, "a"));
		this.state.assertPending(QUEUE);
	}

	@Test
	void takenIdIsReportedToAllSchedulers() {
		this.state.seedArchived(this.at, RedisState.message(QUEUE, "t1").build());
		assertThatExceptionOfType(TaskIdConflictException.class).isThrownBy(() -> fire(pending("t1"), "a"));
		assertThat(fire(pending("t2"), "b")).isFalse();
		this.state.assertPending(QUEUE);
	}

	@Test
	void fireMayHoldLock() {
		EnqueueRequest unique = new EnqueueRequest(RedisState.message(QUEUE, "t1").build(), new Placement.Pending(),
				Duration.ofHours(1));
		assertThat(fire(unique, "a")).isTrue();
		String lock = Keys.of(QUEUE).unique("email:send", utf8("{\"user_id\":42}"));
		assertThat(this.state.redis().opsForValue().get(lock)).isEqualTo("t1");
		assertThat(this.state.fields(QUEUE, "t1")).containsEntry("unique_key", lock);
	}

	@Test
	void fireMayBeDelayedOrGrouped() {
		Instant later = this.clock.instant().plusSeconds(60);
		assertThat(fire(
				new EnqueueRequest(RedisState.message(QUEUE, "t1").build(), new Placement.Scheduled(later), null), "a"))
			.isTrue();
		this.state.assertScheduled(QUEUE, "t1");
		assertThat(this.state.scores(QUEUE, "scheduled")).containsEntry("t1", later.getEpochSecond());
		Fire groupedLater = new Fire("grouped later", this.at, "a", false, false);
		assertThat(this.broker.schedulers()
			.enqueue(new EnqueueRequest(RedisState.message(QUEUE, "t3").group("g").build(),
					new Placement.Scheduled(later), null), groupedLater))
			.isTrue();
		assertThat(this.state.fields(QUEUE, "t3")).containsEntry("x-group", "g").doesNotContainKey("group");
		assertThat(this.state.exists("asynqj:{default}:groups")).isFalse();
		Fire other = new Fire("grouped", this.at, "a", false, false);
		assertThat(this.broker.schedulers()
			.enqueue(new EnqueueRequest(RedisState.message(QUEUE, "t2").group("g").build(), new Placement.Grouped(),
					null), other))
			.isTrue();
		this.state.assertGrouped(QUEUE, "g", "t2");
	}

	@Test
	void missedFireIsStoredOnlyIfNoLaterOneIsKnown() {
		Fire later = new Fire("nightly", this.at, "a", true, false);
		assertThat(this.broker.schedulers().enqueue(pending("t1"), later)).isTrue();
		Fire missed = new Fire("nightly", this.at.minusSeconds(60), "b", true, true);
		assertThat(this.broker.schedulers().enqueue(pending("t2"), missed)).isFalse();
		this.state.assertPending(QUEUE, "t1");
		Fire newer = new Fire("nightly", this.at.plusSeconds(60), "b", true, true);
		assertThat(this.broker.schedulers().enqueue(pending("t3"), newer)).isTrue();
		assertThat(this.broker.schedulers().lastFire(QUEUE, "nightly", this.clock.instant()))
			.isEqualTo(Instant.ofEpochSecond(this.at.getEpochSecond() + 60));
		assertThat(this.state.redis().getExpire(LAST)).isGreaterThan(Duration.ofDays(399).toSeconds());
	}

	@Test
	void lateFireDoesNotMoveLastFireBack() {
		this.broker.schedulers().enqueue(pending("t1"), new Fire("nightly", this.at, "a", true, false));
		this.broker.schedulers().enqueue(pending("t2"), new Fire("nightly", this.at.minusSeconds(9), "a", true, false));
		assertThat(this.state.redis().opsForValue().get(LAST)).isEqualTo(String.valueOf(this.at.getEpochSecond()));
	}

	@Test
	void skippedFireIsLastUnlessLaterOneIsKnown() {
		this.broker.schedulers().pass(QUEUE, new Fire("nightly", this.at, "a", true, false));
		assertThat(this.state.redis().opsForValue().get(LAST)).isEqualTo(String.valueOf(this.at.getEpochSecond()));
		assertThat(this.state.redis().getExpire(LAST)).isGreaterThan(Duration.ofDays(399).toSeconds());
		this.broker.schedulers().pass(QUEUE, new Fire("nightly", this.at.minusSeconds(60), "a", true, false));
		assertThat(this.state.redis().opsForValue().get(LAST)).isEqualTo(String.valueOf(this.at.getEpochSecond()));
		this.broker.schedulers().pass(QUEUE, new Fire("nightly", this.at.plusSeconds(60), "a", true, false));
		assertThat(this.broker.schedulers().lastFire(QUEUE, "nightly", this.clock.instant()))
			.isEqualTo(Instant.ofEpochSecond(this.at.getEpochSecond() + 60));
	}

	@Test
	void fireSkippedByOneSchedulerMayBeStoredByAnother() {
		this.broker.schedulers().pass(QUEUE, new Fire("nightly", this.at, "a", true, false));
		assertThat(this.broker.schedulers().enqueue(pending("t1"), new Fire("nightly", this.at, "b", true, true)))
			.isFalse();
		assertThat(fire(pending("t2"), "b")).isTrue();
		this.state.assertPending(QUEUE, "t2");
	}

	@Test
	void lastFireOfWrongTypeIsNamed() {
		this.state.redis().opsForSet().add(LAST, "x");
		assertThatExceptionOfType(BrokerException.class)
			.isThrownBy(() -> this.broker.schedulers().pass(QUEUE, new Fire("nightly", this.at, "a", true, false)))
			.withMessageContaining(LAST);
	}

	@Test
	void withoutLastFireFirstQueryMarksBeginning() {
		assertThat(this.broker.schedulers().lastFire(QUEUE, "nightly", this.at))
			.isEqualTo(Instant.ofEpochSecond(this.at.getEpochSecond()));
		assertThat(this.broker.schedulers().lastFire(QUEUE, "nightly", this.at.plusSeconds(60)))
			.isEqualTo(Instant.ofEpochSecond(this.at.getEpochSecond()));
	}

	@Test
	void entryWhoseLastFireIsForgottenStartsAnew() {
		this.broker.schedulers().pass(QUEUE, new Fire("nightly", this.at.minusSeconds(60), "a", true, false));
		this.broker.schedulers().forgetFires(QUEUE, "nightly");
		assertThat(this.state.redis().hasKey(LAST)).isFalse();
		assertThat(this.broker.schedulers().lastFire(QUEUE, "nightly", this.at))
			.isEqualTo(Instant.ofEpochSecond(this.at.getEpochSecond()));
	}

	@Test
	void invalidLastFireIsNamed() {
		this.state.redis().opsForValue().set(LAST, "yesterday");
		assertThatExceptionOfType(BrokerException.class)
			.isThrownBy(() -> this.broker.schedulers().lastFire(QUEUE, "nightly", this.at))
			.withMessageContaining(LAST);
	}

	@ParameterizedTest
	@ValueSource(strings = { "asynq:{default}:scheduled", "asynq:{default}:groups" })
	void keyOfWrongTypeRefusesFireWithoutMark(String key) {
		this.state.redis().opsForValue().set(key, "text");
		assertThatExceptionOfType(BrokerException.class).isThrownBy(() -> fire(pending("t1"), "a"));
		this.state.redis().delete(key);
		assertThat(fire(pending("t1"), "b")).isTrue();
	}

	@Test
	void writesEntriesReadableByGo() {
		SchedulerEntrySnapshot golden = new SchedulerEntrySnapshot("6ba7b810-9dad-11d1-80b4-00c04fd430c8", "@every 30s",
				"report", new byte[0], TaskOptions.of((options) -> options.queue("low").maxRetry(3)),
				Instant.ofEpochSecond(1_700_000_030), null);
		SchedulerEntrySnapshot other = entry("second");
		this.broker.schedulers().write(ONE, List.of(golden, other), Duration.ofMillis(59_600));
		String key = "asynq:schedulers:{h1:123:one}";
		assertThat(this.state.redis().opsForZSet().score("asynq:schedulers", key)).isEqualTo(nowSeconds() + 60);
		assertThat(this.state.redis().getExpire(key)).isBetween(1L, 60L);
		assertThat(this.state.redis().opsForList().size(key)).isEqualTo(2);
		// Pushed on the left, as Go does
		assertThat(HexFormat.of().formatHex(bytes(key, 1))).isEqualTo("0a2436626137623831302d396461642d313164312d383062"
				+ "342d303063303466643433306338120a406576657279203330731a067265706f72742a0c517565756528226c6f7722"
				+ "292a0b4d617852657472792833293206089ee2cfaa063a0b088092b8c398feffffff01");
		this.broker.schedulers().write(ONE, List.of(other), Duration.ofSeconds(20));
		assertThat(this.state.redis().opsForList().size(key)).isEqualTo(1);
		this.broker.schedulers().write(ONE, List.of(), Duration.ofSeconds(20));
		assertThat(this.state.redis().hasKey(key)).isFalse();
	}

	@Test
	void expiredSchedulersAreRemovedWhenAnotherStarts() {
		this.state.redis().opsForZSet().add("asynq:schedulers", "asynq:schedulers:{dead}", nowSeconds() - 60);
		this.state.redis().opsForZSet().add("asynq:schedulers", "asynq:schedulers:{behind}", nowSeconds() - 60);
		this.state.redis().opsForList().leftPush("asynq:schedulers:{behind}", "entry");
		this.broker.schedulers().write(ONE, List.of(entry("nightly")), Duration.ofSeconds(20));
		assertThat(this.state.redis().opsForZSet().range("asynq:schedulers", 0, -1))
			.containsExactly("asynq:schedulers:{behind}", "asynq:schedulers:{h1:123:one}");
	}

	@Test
	void stoppedSchedulerLeavesNoEntries() {
		this.broker.schedulers().write(ONE, List.of(entry("nightly")), Duration.ofSeconds(20));
		this.broker.schedulers().clear(ONE);
		assertThat(this.state.redis().hasKey("asynq:schedulers:{h1:123:one}")).isFalse();
		assertThat(this.state.redis().opsForZSet().size("asynq:schedulers")).isZero();
	}

	@Test
	void keepsLatestThousandEventsUntilTheyExpire() {
		String key = "asynq:scheduler_history:nightly";
		this.broker.schedulers().recordEnqueued("nightly", "custom-1", Instant.ofEpochSecond(1_700_000_000));
		assertThat(this.state.redis()
			.execute((RedisCallback<Set<byte[]>>) (connection) -> connection.zSetCommands().zRange(utf8(key), 0, 0)))
			.singleElement()
			.extracting(HexFormat.of()::formatHex)
			.isEqualTo("0a08637573746f6d2d3112060880e2cfaa06");
		for (int i = 1; i <= 1001; i++) {
			this.broker.schedulers().recordEnqueued("nightly", "t" + i, Instant.ofEpochSecond(1_700_000_000 + i));
		}
		assertThat(this.state.redis().opsForZSet().size(key)).isEqualTo(1000);
		assertThat(this.state.redis().opsForZSet().count(key, 0, 1_700_000_001)).isZero();
		assertThat(this.state.redis().getExpire(key)).isGreaterThan(Duration.ofDays(89).toSeconds());
	}

	@Test
	void historyOfWrongTypeIsNamed() {
		this.state.redis().opsForValue().set("asynq:scheduler_history:nightly", "text");
		assertThatExceptionOfType(BrokerException.class)
			.isThrownBy(() -> this.broker.schedulers().recordEnqueued("nightly", "t1", this.at))
			.withMessageContaining("asynq:scheduler_history:nightly");
	}

	@Test
	void historyIsDeletedWithLastSchedulerOfItsEntry() {
		this.broker.schedulers().write(ONE, List.of(entry("nightly"), entry("own")), Duration.ofSeconds(20));
		this.broker.schedulers().write(TWO, List.of(entry("nightly")), Duration.ofSeconds(20));
		this.broker.schedulers().recordEnqueued("nightly", "t1", this.at);
		this.broker.schedulers().recordEnqueued("own", "t2", this.at);
		assertThat(this.broker.schedulers().forget(ONE, List.of("nightly", "own"))).containsExactly("own");
		this.broker.schedulers().clear(ONE);
		assertThat(this.state.redis().hasKey("asynq:scheduler_history:nightly")).isTrue();
		assertThat(this.state.redis().hasKey("asynq:scheduler_history:own")).isFalse();
		assertThat(this.broker.schedulers().forget(TWO, Set.of("nightly"))).containsExactly("nightly");
		assertThat(this.state.redis().hasKey("asynq:scheduler_history:nightly")).isFalse();
	}

	private boolean fire(EnqueueRequest request, String asker) {
		return this.broker.schedulers().enqueue(request, new Fire("nightly", this.at, asker, false, false));
	}

	private byte[] bytes(String key, long index) {
		return this.state.redis()
			.execute((RedisCallback<byte[]>) (connection) -> connection.listCommands().lIndex(utf8(key), index));
	}

	private static EnqueueRequest pending(String id) {
		return new EnqueueRequest(RedisState.message(QUEUE, id).build(), new Placement.Pending(), null);
	}

	private static SchedulerEntrySnapshot entry(String id) {
		return new SchedulerEntrySnapshot(id, "@daily", "report", null, TaskOptions.none(), null, null);
	}

}
