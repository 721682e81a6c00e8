package io.asynq.internal.redis;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

import io.asynq.TaskState;
import io.asynq.internal.inspect.TaskMove;
import io.asynq.internal.inspect.TaskMove.Result.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How single tasks are moved and deleted by hand.
 */
@OnDrivers
class MoveContract extends ByHandContract {

	MoveContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@ParameterizedTest
	@EnumSource(names = { "SCHEDULED", "RETRY", "ARCHIVED", "COMPLETED", "AGGREGATING" })
	void runMovesTaskToBackOfQueue(TaskState from) {
		this.state.seedPending(message("next").build());
		seed(from, message("t1").group("g").build());
		this.state.seedField(QUEUE, "t1", "x-crashes", utf8("2"));
		this.state.seedField(QUEUE, "t1", "x-crashed-at", utf8("1700000000"));
		byte[] before = this.state.bytes(QUEUE, "t1", "msg");
		assertThat(move(TaskMove.RUN, "t1")).containsExactly(done(from));
		this.state.assertPending(QUEUE, "next", "t1");
		assertThat(this.state.fields(QUEUE, "t1")).containsEntry("pending_since", nowNanos())
			.doesNotContainKeys("x-crashes", "x-crashed-at");
		assertThat(this.state.bytes(QUEUE, "t1", "msg")).isEqualTo(before);
		assertNothingIn("scheduled", "retry", "archived", "completed", "groups", "g:g", "processed", "failed");
	}

	@ParameterizedTest
	@EnumSource(names = { "SCHEDULED", "RETRY", "ARCHIVED" })
	void runFreshGivesAllRetriesAndKeepsTheRestOfTheMessage(TaskState from) {
		TaskMessage used = message("t1").maxRetry(25)
			.retried(300)
			.errorMessage("boom")
			.lastFailedAtSeconds(1_700_000_000)
			.deadlineSeconds(4_000_000_000L)
			.uniqueKey(LOCK)
			.headers(Map.of("a", "1"))
			.unknownFields(new byte[] { (byte) 0xC0, 0x3E, (byte) 0x80, 1, (byte) 0xF9, 0x3E, 1, 2, 3, 4, 5, 6, 7, 8 })
			.build();
		seed(from, used);
		assertThat(move(TaskMove.RUN_FRESH, "t1")).containsExactly(done(from));
		this.state.assertPending(QUEUE, "t1");
		TaskMessage fresh = used.toBuilder().retried(0).build();
		assertThat(this.state.stored(QUEUE, "t1")).usingRecursiveComparison()
			.withEqualsForType(Arrays::equals, byte[].class)
			.isEqualTo(fresh);
	}

	@Test
	void runFreshOfWhatIsNoMessageLeavesItAsItIs() {
		seed(TaskState.ARCHIVED, message("t1").build());
		byte[] broken = { 0x30, (byte) 0x80 };
		this.state.seedField(QUEUE, "t1", "msg", broken);
		assertThat(move(TaskMove.RUN_FRESH, "t1")).containsExactly(done(TaskState.ARCHIVED));
		assertThat(this.state.bytes(QUEUE, "t1", "msg")).isEqualTo(broken);
	}

	@ParameterizedTest
	@EnumSource(names = { "PENDING", "SCHEDULED", "RETRY", "COMPLETED", "AGGREGATING" })
	void archiveMovesTaskToArchive(TaskState from) {
		seed(from, message("t1").group("g").uniqueKey(LOCK).build());
		this.state.seedLock(LOCK, "t1");
		byte[] before = this.state.bytes(QUEUE, "t1", "msg");
		assertThat(move(TaskMove.ARCHIVE, "t1")).containsExactly(done(from));
		this.state.assertArchived(QUEUE, "t1");
		assertThat(this.state.scores(QUEUE, "archived")).containsEntry("t1", nowSeconds());
		assertThat(this.state.fields(QUEUE, "t1")).doesNotContainKey("pending_since");
		assertThat(this.state.bytes(QUEUE, "t1", "msg")).isEqualTo(before);
		assertThat(this.state.exists(LOCK)).isTrue();
		assertNothingIn("pending", "scheduled", "retry", "completed", "groups", "g:g", "processed", "failed");
	}

	@ParameterizedTest
	@EnumSource(names = { "PENDING", "SCHEDULED", "RETRY", "ARCHIVED", "COMPLETED", "AGGREGATING" })
	void deleteRemovesTaskCompletely(TaskState from) {
		seed(from, message("t1").group("g").uniqueKey(LOCK).build());
		this.state.seedLock(LOCK, "t1");
		assertThat(move(TaskMove.DELETE, "t1")).containsExactly(done(from));
		assertThat(this.state.dump(QUEUE)).isEmpty();
	}

	@Test
	void deleteReleasesLockKnownOnlyFromMessageOfGroupedTask() {
		this.state.seedGrouped(in(0), message("t1").group("g").uniqueKey(LOCK).build());
		this.state.redis().opsForHash().delete("asynq:{default}:t:t1", "unique_key");
		this.state.seedLock(LOCK, "t1");
		move(TaskMove.DELETE, "t1");
		assertThat(this.state.dump(QUEUE)).isEmpty();
	}

	@Test
	void deleteKeepsLockOfAnotherTask() {
		this.state.seedPending(message("t1").uniqueKey(LOCK).build());
		this.state.seedLock(LOCK, "other");
		move(TaskMove.DELETE, "t1");
		assertThat(this.state.dump(QUEUE)).containsOnlyKeys(LOCK);
	}

	@ParameterizedTest
	@EnumSource
	void activeTaskIsNotMoved(TaskMove move) {
		this.state.seedActive(in(30), message("t1").build());
		assertRefused(move, "t1", new TaskMove.Result(Status.WRONG_STATE, TaskState.ACTIVE));
	}

	@Test
	void pendingTaskIsNotRunAndArchivedTaskNotArchived() {
		this.state.seedPending(message("p1").build());
		this.state.seedArchived(in(0), message("x1").build());
		assertRefused(TaskMove.RUN, "p1", new TaskMove.Result(Status.WRONG_STATE, TaskState.PENDING));
		assertRefused(TaskMove.ARCHIVE, "x1", new TaskMove.Result(Status.WRONG_STATE, TaskState.ARCHIVED));
	}

	@ParameterizedTest
	@EnumSource
	void misplacedTaskIsNotMoved(TaskMove move) {
		this.state.seedScheduled(in(1), message("s1").build());
		this.state.redis().opsForZSet().remove("asynq:{default}:scheduled", "s1");
		this.state.seedGrouped(in(1), message("g1").group("g").build());
		this.state.redis().rename("asynq:{default}:g:g", "asynq:{default}:g:g:7e4ab9cd-1b2c-4ab1-9a30-1b2c3d4e5f60");
		this.state.seedRetry(in(1), message("r1").build());
		this.state.seedField(QUEUE, "r1", "state", utf8("nonsense"));
		assertRefused(move, "s1", new TaskMove.Result(Status.MISPLACED, TaskState.SCHEDULED));
		assertRefused(move, "g1", new TaskMove.Result(Status.MISPLACED, TaskState.AGGREGATING));
		assertRefused(move, "r1", new TaskMove.Result(Status.MISPLACED, null));
	}

	@Test
	void keysOfWrongTypePreventMove() {
		this.state.seedScheduled(in(1), message("s1").build());
		this.state.redis().opsForValue().set("asynq:{default}:pending", "no list");
		this.state.redis().opsForValue().set("asynq:{default}:archived", "no sorted set");
		this.state.redis().opsForValue().set("asynq:{default}:t:text", "no hash");
		assertRefused(TaskMove.RUN, "s1", new TaskMove.Result(Status.BROKEN, null));
		assertRefused(TaskMove.ARCHIVE, "s1", new TaskMove.Result(Status.BROKEN, null));
		assertRefused(TaskMove.DELETE, "text", new TaskMove.Result(Status.BROKEN, null));
	}

	@Test
	void eachOfManyIsMovedIndependently() {
		List<String> ids = new ArrayList<>();
		for (int i = 0; i < 250; i++) {
			ids.add("t" + i);
			this.state.seedScheduled(in(i), message("t" + i).build());
		}
		this.state.seedActive(in(30), message("active").build());
		ids.add(5, "active");
		ids.add(120, "gone");
		ids.add("t0");
		List<TaskMove.Result> results = move(TaskMove.RUN, ids.toArray(String[]::new));
		assertThat(results).hasSize(253);
		assertThat(results.get(5)).isEqualTo(new TaskMove.Result(Status.WRONG_STATE, TaskState.ACTIVE));
		assertThat(results.get(120)).isEqualTo(new TaskMove.Result(Status.NOT_FOUND, null));
		assertThat(results.get(252)).isEqualTo(new TaskMove.Result(Status.WRONG_STATE, TaskState.PENDING));
		assertThat(results.stream().filter(done(TaskState.SCHEDULED)::equals)).hasSize(250);
		assertThat(this.state.pending(QUEUE)).hasSize(250).startsWith("t0", "t1").endsWith("t249");
		this.state.assertActive(QUEUE, "active");
	}

	@Test
	void groupIsListedUntilLastTaskLeaves() {
		this.state.seedGrouped(in(0), message("g1").group("g").build(), message("g2").group("g").build());
		move(TaskMove.RUN, "g1");
		this.state.assertGrouped(QUEUE, "g", "g2");
		move(TaskMove.ARCHIVE, "g2");
		assertNothingIn("groups", "g:g");
	}

	@Test
	void archivingTrimsOldTasksAndTheirLocks() {
		this.state.seedArchived(ago(90), message("old").uniqueKey(LOCK).build());
		this.state.seedLock(LOCK, "old");
		this.state.seedArchived(ago(90).plusSeconds(1), message("kept").build());
		this.state.seedPending(message("p1").build());
		move(TaskMove.ARCHIVE, "p1");
		this.state.assertArchived(QUEUE, "kept", "p1");
		assertThat(this.state.fields(QUEUE, "old")).isEmpty();
		assertThat(this.state.exists(LOCK)).isFalse();
	}

	private void assertRefused(TaskMove move, String id, TaskMove.Result result) {
		SortedMap<String, Object> before = this.state.dump(QUEUE);
		assertThat(move(move, id)).containsExactly(result);
		assertThat(this.state.dump(QUEUE)).isEqualTo(before);
	}

	private List<TaskMove.Result> move(TaskMove move, String... ids) {
		return this.broker.tasks().move(QUEUE, move, List.of(ids));
	}

	private String nowNanos() {
		Instant now = this.clock.instant();
		return now.getEpochSecond() + String.format("%09d", now.getNano());
	}

}
