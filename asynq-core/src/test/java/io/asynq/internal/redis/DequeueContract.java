package io.asynq.internal.redis;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import io.asynq.internal.worker.BrokenTaskHandler;
import io.asynq.internal.worker.Dequeued;
import io.asynq.internal.worker.Lease;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.server.BrokenTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How tasks are dequeued.
 */
@OnDrivers
class DequeueContract extends BrokerContract {

	private static final byte[] UNREADABLE = { (byte) 0xFF, 0x01, 0x02 };

	DequeueContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void duplicateEntryOfActiveTaskIsRemovedWithoutRunning() {
		this.state.seedPending(message("t1").build(), message("t2").build());
		this.state.redis().opsForList().rightPush("asynq:{default}:pending", "t1");
		assertThat(this.broker.dequeuer().dequeue(QUEUE, 1).tasks()).hasSize(1);
		assertThat(this.broker.dequeuer().dequeue(QUEUE, 10).tasks()).extracting((task) -> task.message().id())
			.containsExactly("t2");
		this.state.assertActive(QUEUE, "t1", "t2");
		assertThat(this.state.pending(QUEUE)).isEmpty();
	}

	@Test
	void takesNextTasksEachWithLease() {
		seed("t1", "t2", "t3");
		Dequeued dequeued = dequeue(2);
		assertThat(ids(dequeued)).containsExactly("t1", "t2");
		assertThat(dequeued.exhausted()).isFalse();
		this.state.assertActive(QUEUE, "t1", "t2");
		this.state.assertPending(QUEUE, "t3");
		assertThat(this.state.scores(QUEUE, "lease").values()).containsOnly(nowSeconds() + 30);
		assertThat(this.state.fields(QUEUE, "t1").get("x-attempt")).endsWith("@" + (nowSeconds() + 30));
	}

	@Test
	void tellsHowLongTheFirstTaskHasBeenPending() {
		seed("waited", "other");
		pendingSince("waited", nanos(nowSeconds() - 2));
		// Now is 123,456,789 ns after a whole second
		assertThat(dequeue(2).waited()).isCloseTo(Duration.ofNanos(2_123_456_789), Duration.ofNanos(2000));
	}

	@Test
	void taskFromTheFutureHasNotWaited() {
		seed("ahead");
		pendingSince("ahead", nanos(nowSeconds() + 60));
		assertThat(dequeue(1).waited()).isZero();
	}

	@Test
	void doesNotKnowHowLongATaskWithoutOrWithAGarbledTimeHasBeenPending() {
		seed("unknown", "garbled");
		this.state.redis().opsForHash().delete("asynq:{default}:t:unknown", "pending_since");
		pendingSince("garbled", "yesterday");
		assertThat(dequeue(1).waited()).isNull();
		assertThat(dequeue(1).waited()).isNull();
		this.state.assertActive(QUEUE, "unknown", "garbled");
	}

	@Test
	void leaseNeverOutlastsItsEndInRedis() {
		seed("t1");
		long before = System.nanoTime();
		Lease lease = dequeue(1).tasks().get(0).lease();
		// The lease ends at a whole second, and now is 123 ms after one
		assertThat(lease.isValidAt(before + Duration.ofMillis(29_875).toNanos())).isTrue();
		assertThat(lease.isValidAt(System.nanoTime() + Duration.ofMillis(29_877).toNanos())).isFalse();
	}

	@Test
	void reportsWhenQueueIsEmpty() {
		assertThat(dequeue(5)).isEqualTo(new Dequeued(List.of(), true));
		seed("t1", "t2");
		assertThat(dequeue(1).exhausted()).isFalse();
		assertThat(dequeue(5).exhausted()).isTrue();
	}

	@Test
	void takesNothingFromPausedQueue() {
		seed("t1");
		this.state.redis().opsForValue().set("asynq:{default}:paused", "1");
		assertThat(dequeue(5)).isEqualTo(new Dequeued(List.of(), true, null, 0, true));
		this.state.assertPending(QUEUE, "t1");
	}

	@Test
	void suspectIsNotFetchedAhead() {
		seed("t1", "suspect", "t2");
		this.state.redis().opsForHash().put("asynq:{default}:t:suspect", "x-suspect", "fence");
		Dequeued ahead = this.broker.dequeuer().dequeue(QUEUE, 3, 2);
		assertThat(ids(ahead)).containsExactly("t1");
		assertThat(ahead.exhausted()).isFalse();
		assertThat(this.broker.dequeuer().dequeue(QUEUE, 2, 2).tasks()).isEmpty();
		this.state.assertPending(QUEUE, "suspect", "t2");
		assertThat(ids(this.broker.dequeuer().dequeue(QUEUE, 2, 1))).as("a worker is idle for it")
			.containsExactly("suspect", "t2");
	}

	@Test
	void tasksThatAreFetchedAheadAreMarkedUntilTheyEnd() {
		seed("t1", "t2");
		assertThat(this.broker.dequeuer().dequeue(QUEUE, 1, 1).tasks()).allMatch(LeasedTask::ahead);
		assertThat(dequeue(1).tasks()).noneMatch(LeasedTask::ahead);
	}

	@Test
	void takesAtMostSixtyFourTasks() {
		seed(IntStream.range(0, 100).mapToObj((i) -> "t" + i).toArray(String[]::new));
		assertThat(dequeue(1000).tasks()).hasSize(64);
	}

	@Test
	void takesAboutFourMebibytesButAtLeastOneTask() {
		byte[] big = new byte[3 * 1024 * 1024];
		byte[] huge = new byte[5 * 1024 * 1024];
		this.state.seedPending(message("a").payload(big).build(), message("b").payload(big).build(),
				message("c").payload(huge).build());
		assertThat(ids(dequeue(10))).containsExactly("a");
		assertThat(dequeue(10)).satisfies((second) -> {
			assertThat(ids(second)).containsExactly("b");
			assertThat(second.exhausted()).isFalse();
		});
		assertThat(ids(dequeue(10))).containsExactly("c");
	}

	@Test
	void idWithoutTaskIsDroppedCompletely() {
		seed("t1");
		this.state.redis().opsForList().rightPush("asynq:{default}:pending", "ghost");
		assertThat(ids(dequeue(1))).isEmpty();
		assertThat(ids(dequeue(1))).containsExactly("t1");
		this.state.assertActive(QUEUE, "t1");
		assertThat(this.state.fields(QUEUE, "ghost")).isEmpty();
		assertThat(this.brokenTasks).containsExactly(new BrokenTask(QUEUE, "ghost", BrokenTask.Kind.MISSING));
	}

	@Test
	void idWithoutTaskThatIsListedTwiceIsReportedOnce() {
		this.state.redis().opsForList().rightPushAll("asynq:{default}:pending", "ghost", "ghost");
		assertThat(dequeue(5)).isEqualTo(new Dequeued(List.of(), true));
		assertThat(this.state.pending(QUEUE)).isEmpty();
		assertThat(this.brokenTasks).containsExactly(new BrokenTask(QUEUE, "ghost", BrokenTask.Kind.MISSING));
	}

	@Test
	void taskKeyOfWrongTypeDoesNotAffectOthers() {
		seed("t1", "bad", "t2");
		this.state.redis().delete("asynq:{default}:t:bad");
		this.state.redis().opsForValue().set("asynq:{default}:t:bad", "text");
		assertThat(ids(dequeue(3))).containsExactly("t1", "t2");
		this.state.assertActive(QUEUE, "t1", "t2");
		assertThat(this.brokenTasks).containsExactly(new BrokenTask(QUEUE, "bad", BrokenTask.Kind.WRONG_TYPE));
	}

	@Test
	void undecodableMessageIsArchivedUnchangedAndCounted() {
		seed("t1", "bad", "t2");
		this.state.seedField(QUEUE, "bad", "msg", UNREADABLE);
		assertThat(ids(dequeue(3))).containsExactly("t1", "t2");
		this.state.assertActive(QUEUE, "t1", "t2");
		this.state.assertArchived(QUEUE, "bad");
		assertThat(this.state.bytes(QUEUE, "bad", "msg")).isEqualTo(UNREADABLE);
		this.state.assertCounters(QUEUE, DAY, 1, 1);
		assertThat(this.brokenTasks).containsExactly(new BrokenTask(QUEUE, "bad", BrokenTask.Kind.UNDECODABLE));
	}

	@Test
	void undecodableTaskOwnedByAnotherIsLeftAlone() {
		seed("ours", "java", "go");
		dequeue(3);
		String ours = this.state.fields(QUEUE, "ours").get("x-attempt").split("@")[0];
		this.state.seedField(QUEUE, "java", "x-attempt", utf8("another"));
		this.state.redis().opsForZSet().add("asynq:{default}:lease", "go", nowSeconds() + 60);
		new BrokenTaskHandler(RedisState.scripts(this.factory), ScriptTime.of(this.clock), this.brokenTasks::add)
			.decode(QUEUE, List.of(utf8("ours"), UNREADABLE, utf8("java"), UNREADABLE, utf8("go"), UNREADABLE),
					(i) -> BrokenTaskHandler.Hands.ofAttempt(ours));
		this.state.assertActive(QUEUE, "java", "go");
		assertThat(this.brokenTasks).containsExactly(new BrokenTask(QUEUE, "ours", BrokenTask.Kind.UNDECODABLE));
	}

	@Test
	void hashWithoutMessageIsArchived() {
		seed("t1", "bad");
		this.state.redis().opsForHash().delete("asynq:{default}:t:bad", "msg");
		assertThat(ids(dequeue(2))).containsExactly("t1");
		this.state.assertArchived(QUEUE, "bad");
	}

	@Test
	void duplicateIdIsTakenOnce() {
		seed("t1", "t2");
		this.state.redis().opsForList().leftPush("asynq:{default}:pending", "t1");
		assertThat(ids(dequeue(5))).containsExactly("t1", "t2");
		this.state.assertActive(QUEUE, "t1", "t2");
	}

	@ParameterizedTest
	@ValueSource(strings = { "asynq:{default}:active", "asynq:{default}:lease" })
	void containerOfWrongTypeIsNamedAndNothingMoves(String key) {
		seed("t1");
		this.state.redis().opsForValue().set(key, "text");
		assertThatExceptionOfType(WrongTypeException.class).isThrownBy(() -> dequeue(1))
			.withMessageContainingAll("queue 'default'", "'" + key + "'", "rename or delete")
			.extracting(WrongTypeException::key)
			.isEqualTo(key);
		assertThat(this.brokenTasks).containsExactly(new BrokenTask(QUEUE, key, BrokenTask.Kind.UNUSABLE_KEY));
		this.state.assertPending(QUEUE, "t1");
	}

	@Test
	void survivesScriptFlush() {
		seed("t1", "t2");
		dequeue(1);
		this.state.redis().execute((connection) -> {
			connection.scriptingCommands().scriptFlush();
			return true;
		}, true);
		assertThat(ids(dequeue(1))).containsExactly("t2");
	}

	private void pendingSince(String id, String nanos) {
		this.state.seedField(QUEUE, id, "pending_since", Text.utf8(nanos));
	}

	private static String nanos(long seconds) {
		return seconds + "000000000";
	}

	private Dequeued dequeue(int max) {
		return this.broker.dequeuer().dequeue(QUEUE, max);
	}

	private void seed(String... ids) {
		for (String id : ids) {
			this.state.seedPending(message(id).build());
		}
	}

	private static List<String> ids(Dequeued dequeued) {
		return dequeued.tasks().stream().map((task) -> task.message().id()).toList();
	}

	private static TaskMessage.Builder message(String id) {
		return RedisState.message(QUEUE, id);
	}

}
