package io.asynq.broker.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeSet;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.asynq.BrokerException;
import io.asynq.TaskState;
import io.asynq.broker.TaskMessage;
import io.asynq.broker.TaskMove;
import io.asynq.broker.TaskMoveResult;
import io.asynq.broker.TaskMoveResult.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How tasks are moved, deleted and changed by hand.
 */
abstract class MoveContract extends BrokerContract {

	private static final String LOCK = "asynq:{default}:unique:x:";

	MoveContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@ParameterizedTest
	@EnumSource(names = { "SCHEDULED", "RETRY", "ARCHIVED", "COMPLETED", "AGGREGATING" })
	void runMakesATaskPendingAtTheBackOfItsQueue(TaskState from) {
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
	@EnumSource(names = { "PENDING", "SCHEDULED", "RETRY", "COMPLETED", "AGGREGATING" })
	void archiveMovesATaskToTheArchive(TaskState from) {
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
	void deleteLeavesNothingOfATask(TaskState from) {
		seed(from, message("t1").group("g").uniqueKey(LOCK).build());
		this.state.seedLock(LOCK, "t1");
		assertThat(move(TaskMove.DELETE, "t1")).containsExactly(done(from));
		assertThat(this.state.dump(QUEUE)).isEmpty();
	}

	@Test
	void deleteReleasesTheLockThatOnlyTheMessageOfAGroupedTaskNames() {
		this.state.seedGrouped(in(0), message("t1").group("g").uniqueKey(LOCK).build());
		this.state.redis().opsForHash().delete("asynq:{default}:t:t1", "unique_key");
		this.state.seedLock(LOCK, "t1");
		move(TaskMove.DELETE, "t1");
		assertThat(this.state.dump(QUEUE)).isEmpty();
	}

	@Test
	void deleteLeavesTheLockOfAnotherTask() {
		this.state.seedPending(message("t1").uniqueKey(LOCK).build());
		this.state.seedLock(LOCK, "other");
		move(TaskMove.DELETE, "t1");
		assertThat(this.state.dump(QUEUE)).containsOnlyKeys(LOCK);
	}

	@ParameterizedTest
	@EnumSource
	void nothingIsDoneWithAnActiveTask(TaskMove move) {
		this.state.seedActive(in(30), message("t1").build());
		assertRefused(move, "t1", new TaskMoveResult(Status.WRONG_STATE, TaskState.ACTIVE));
	}

	@Test
	void whatIsPendingIsNotRunAndWhatIsArchivedNotArchived() {
		this.state.seedPending(message("p1").build());
		this.state.seedArchived(in(0), message("x1").build());
		assertRefused(TaskMove.RUN, "p1", new TaskMoveResult(Status.WRONG_STATE, TaskState.PENDING));
		assertRefused(TaskMove.ARCHIVE, "x1", new TaskMoveResult(Status.WRONG_STATE, TaskState.ARCHIVED));
	}

	@ParameterizedTest
	@EnumSource
	void aTaskThatIsNotWhereItsStateSaysStays(TaskMove move) {
		this.state.seedScheduled(in(1), message("s1").build());
		this.state.redis().opsForZSet().remove("asynq:{default}:scheduled", "s1");
		this.state.seedGrouped(in(1), message("g1").group("g").build());
		this.state.redis().rename("asynq:{default}:g:g", "asynq:{default}:g:g:7e4ab9cd-1b2c-4ab1-9a30-1b2c3d4e5f60");
		this.state.seedRetry(in(1), message("r1").build());
		this.state.seedField(QUEUE, "r1", "state", utf8("nonsense"));
		assertRefused(move, "s1", new TaskMoveResult(Status.MISPLACED, TaskState.SCHEDULED));
		assertRefused(move, "g1", new TaskMoveResult(Status.MISPLACED, TaskState.AGGREGATING));
		assertRefused(move, "r1", new TaskMoveResult(Status.MISPLACED, null));
	}

	@Test
	void keysOfTheWrongTypeLetNothingMove() {
		this.state.seedScheduled(in(1), message("s1").build());
		this.state.redis().opsForValue().set("asynq:{default}:pending", "no list");
		this.state.redis().opsForValue().set("asynq:{default}:archived", "no sorted set");
		this.state.redis().opsForValue().set("asynq:{default}:t:text", "no hash");
		assertRefused(TaskMove.RUN, "s1", new TaskMoveResult(Status.BROKEN, null));
		assertRefused(TaskMove.ARCHIVE, "s1", new TaskMoveResult(Status.BROKEN, null));
		assertRefused(TaskMove.DELETE, "text", new TaskMoveResult(Status.BROKEN, null));
	}

	@Test
	void eachOfManyIsTreatedByItself() {
		List<String> ids = new ArrayList<>();
		for (int i = 0; i < 250; i++) {
			ids.add("t" + i);
			this.state.seedScheduled(in(i), message("t" + i).build());
		}
		this.state.seedActive(in(30), message("active").build());
		ids.add(5, "active");
		ids.add(120, "gone");
		ids.add("t0");
		List<TaskMoveResult> results = move(TaskMove.RUN, ids.toArray(String[]::new));
		assertThat(results).hasSize(253);
		assertThat(results.get(5)).isEqualTo(new TaskMoveResult(Status.WRONG_STATE, TaskState.ACTIVE));
		assertThat(results.get(120)).isEqualTo(new TaskMoveResult(Status.NOT_FOUND, null));
		assertThat(results.get(252)).isEqualTo(new TaskMoveResult(Status.WRONG_STATE, TaskState.PENDING));
		assertThat(results.stream().filter(done(TaskState.SCHEDULED)::equals)).hasSize(250);
		assertThat(this.state.pending(QUEUE)).hasSize(250).startsWith("t0", "t1").endsWith("t249");
		this.state.assertActive(QUEUE, "active");
	}

	@Test
	void aGroupIsListedUntilItsLastTaskHasLeft() {
		this.state.seedGrouped(in(0), message("g1").group("g").build(), message("g2").group("g").build());
		move(TaskMove.RUN, "g1");
		this.state.assertGrouped(QUEUE, "g", "g2");
		move(TaskMove.ARCHIVE, "g2");
		assertNothingIn("groups", "g:g");
	}

	@Test
	void archivingTakesAwayWhatIsTooOldWithItsLock() {
		this.state.seedArchived(ago(90), message("old").uniqueKey(LOCK).build());
		this.state.seedLock(LOCK, "old");
		this.state.seedArchived(ago(90).plusSeconds(1), message("kept").build());
		this.state.seedPending(message("p1").build());
		move(TaskMove.ARCHIVE, "p1");
		this.state.assertArchived(QUEUE, "kept", "p1");
		assertThat(this.state.fields(QUEUE, "old")).isEmpty();
		assertThat(this.state.exists(LOCK)).isFalse();
	}

	@Test
	void archivingKeepsTenThousand() {
		this.state.seedMany(QUEUE, "archived", 10_050, nowSeconds() - 60);
		this.state.seedScheduled(in(1), message("z1").build(), message("z2").build());
		assertThat(this.broker.mover().moveAll(QUEUE, TaskMove.ARCHIVE, TaskState.SCHEDULED)).isEqualTo(2);
		assertThat(this.state.scores(QUEUE, "archived")).hasSize(10_000).containsKeys("z1", "z2");
		assertThat(this.state.redis().keys("asynq:{default}:t:*")).hasSize(10_000);
	}

	@ParameterizedTest
	@EnumSource(names = { "SCHEDULED", "RETRY", "ARCHIVED" })
	void runAllKeepsTheOrder(TaskState from) {
		this.state.seedPending(message("next").build());
		for (int i = 0; i < 3; i++) {
			seed(from, message("t" + i).build());
		}
		assertThat(this.broker.mover().moveAll(QUEUE, TaskMove.RUN, from)).isEqualTo(3);
		this.state.assertPending(QUEUE, "next", "t0", "t1", "t2");
		assertNothingIn(from.wireName());
		assertThat(this.broker.mover().moveAll(QUEUE, TaskMove.RUN, from)).isZero();
	}

	@ParameterizedTest
	@EnumSource(names = { "PENDING", "SCHEDULED", "RETRY" })
	void archiveAllEmptiesTheState(TaskState from) {
		for (int i = 0; i < 3; i++) {
			seed(from, message("t" + i).build());
		}
		assertThat(this.broker.mover().moveAll(QUEUE, TaskMove.ARCHIVE, from)).isEqualTo(3);
		this.state.assertArchived(QUEUE, "t0", "t1", "t2");
		assertThat(this.state.fields(QUEUE, "t0")).doesNotContainKey("pending_since");
		assertNothingIn(from.wireName());
	}

	@ParameterizedTest
	@EnumSource(names = { "PENDING", "SCHEDULED", "RETRY", "ARCHIVED", "COMPLETED" })
	void deleteAllLeavesNothingAndReleasesLocks(TaskState from) {
		for (int i = 0; i < 3; i++) {
			seed(from, message("t" + i).uniqueKey(LOCK + i).build());
			this.state.seedLock(LOCK + i, "t" + i);
		}
		assertThat(this.broker.mover().moveAll(QUEUE, TaskMove.DELETE, from)).isEqualTo(3);
		assertThat(this.state.dump(QUEUE)).isEmpty();
	}

	@Test
	void allTasksOfAGroupAreRunArchivedOrDeleted() {
		for (String group : List.of("run", "archive", "delete", "other")) {
			this.state.seedGrouped(in(0), message(group + 1).group(group).uniqueKey(LOCK + group).build(),
					message(group + 2).group(group).build());
			this.state.redis().opsForHash().delete("asynq:{default}:t:" + group + 1, "unique_key");
			this.state.seedLock(LOCK + group, group + 1);
		}
		assertThat(this.broker.mover().moveGroup(QUEUE, TaskMove.RUN, "run")).isEqualTo(2);
		assertThat(this.broker.mover().moveGroup(QUEUE, TaskMove.ARCHIVE, "archive")).isEqualTo(2);
		assertThat(this.broker.mover().moveGroup(QUEUE, TaskMove.DELETE, "delete")).isEqualTo(2);
		assertThat(this.broker.mover().moveGroup(QUEUE, TaskMove.DELETE, "nobody")).isZero();
		this.state.assertPending(QUEUE, "run1", "run2");
		this.state.assertArchived(QUEUE, "archive1", "archive2");
		this.state.assertGrouped(QUEUE, "other", "other1", "other2");
		assertThat(this.state.redis().opsForSet().members("asynq:{default}:groups")).containsExactly("other");
		assertThat(this.state.fields(QUEUE, "delete1")).isEmpty();
		assertThat(this.state.exists(LOCK + "delete")).isFalse();
		assertThat(this.state.exists(LOCK + "other")).isTrue();
	}

	@Test
	void idsWithoutATaskLeaveAndTasksThatStandElsewhereStayThere() {
		this.state.seedScheduled(in(1), message("s1").build(), message("active").build());
		this.state.redis().opsForZSet().add("asynq:{default}:scheduled", "gone", 1);
		this.state.seedActive(in(30), message("active").build());
		this.state.seedRetry(in(1), message("confused").build());
		this.state.redis().rename("asynq:{default}:retry", "asynq:{default}:archived");
		assertThat(this.broker.mover().moveAll(QUEUE, TaskMove.RUN, TaskState.SCHEDULED)).isOne();
		assertThat(this.broker.mover().moveAll(QUEUE, TaskMove.RUN, TaskState.ARCHIVED)).isOne();
		this.state.assertPending(QUEUE, "s1", "confused");
		this.state.assertActive(QUEUE, "active");
		assertNothingIn("scheduled", "archived");
	}

	@Test
	void allOfAContainerThatIsNoneIsRefusedAndNamed() {
		this.state.seedScheduled(in(1), message("s1").build());
		this.state.redis().opsForValue().set("asynq:{default}:pending", "no list");
		SortedMap<String, Object> before = this.state.dump(QUEUE);
		assertThatExceptionOfType(BrokerException.class)
			.isThrownBy(() -> this.broker.mover().moveAll(QUEUE, TaskMove.RUN, TaskState.SCHEDULED))
			.withMessageContaining("asynq:{default}:pending");
		assertThatExceptionOfType(BrokerException.class)
			.isThrownBy(() -> this.broker.mover().moveAll(QUEUE, TaskMove.DELETE, TaskState.PENDING))
			.withMessageContaining("asynq:{default}:pending");
		assertThat(this.state.dump(QUEUE)).isEqualTo(before);
	}

	@Test
	void aNewPayloadChangesNothingElse() {
		byte[] unknown = UnknownFieldSet.newBuilder()
			.addField(99, UnknownFieldSet.Field.newBuilder().addLengthDelimited(ByteString.copyFromUtf8("new")).build())
			.build()
			.toByteArray();
		TaskMessage message = message("s1").retried(3)
			.errorMessage("boom")
			.uniqueKey(LOCK)
			.headers(Map.of("a", "1"))
			.unknownFields(unknown)
			.build();
		this.state.seedScheduled(in(60), message);
		this.state.seedLock(LOCK, "s1");
		this.state.seedField(QUEUE, "s1", "x-own", utf8("kept"));
		assertThat(this.broker.mover().updatePayload(QUEUE, "s1", utf8("new"))).isEqualTo(done(TaskState.SCHEDULED));
		assertThat(this.state.stored(QUEUE, "s1")).usingRecursiveComparison()
			.isEqualTo(message.toBuilder().payload(utf8("new")).build());
		assertThat(this.state.fields(QUEUE, "s1")).containsEntry("x-own", "kept").containsEntry("unique_key", LOCK);
		this.state.assertScheduled(QUEUE, "s1");
		assertThat(this.state.exists(LOCK)).isTrue();
		this.broker.mover().updatePayload(QUEUE, "s1", new byte[0]);
		assertThat(this.state.stored(QUEUE, "s1").payload()).isNull();
	}

	@ParameterizedTest
	@EnumSource(names = { "SCHEDULED" }, mode = EnumSource.Mode.EXCLUDE)
	void onlyAScheduledTaskGetsANewPayload(TaskState state) {
		seed(state, message("t1").group("g").build());
		SortedMap<String, Object> before = this.state.dump(QUEUE);
		assertThat(this.broker.mover().updatePayload(QUEUE, "t1", utf8("new")))
			.isEqualTo(new TaskMoveResult(Status.WRONG_STATE, state));
		assertThat(this.state.dump(QUEUE)).isEqualTo(before);
	}

	@Test
	void aTaskThatIsGoneOrUnreadableGetsNoPayload() {
		assertThat(this.broker.mover().updatePayload(QUEUE, "gone", utf8("new")).status()).isEqualTo(Status.NOT_FOUND);
		this.state.seedScheduled(in(1), message("bad").build(), message("empty").build());
		this.state.seedField(QUEUE, "bad", "msg", new byte[] { (byte) 0xFF });
		this.state.redis().opsForHash().delete("asynq:{default}:t:empty", "msg");
		assertThat(this.broker.mover().updatePayload(QUEUE, "bad", utf8("new")).status()).isEqualTo(Status.BROKEN);
		assertThat(this.broker.mover().updatePayload(QUEUE, "empty", utf8("new")).status()).isEqualTo(Status.BROKEN);
		assertThat(this.state.exists("asynq:{default}:t:gone")).isFalse();
	}

	@Test
	void aMessageThatHasChangedSinceItWasReadIsNotReplaced() {
		this.state.seedScheduled(in(1), message("s1").build());
		byte[] read = Objects.requireNonNull(this.state.bytes(QUEUE, "s1", "msg"));
		byte[] meanwhile = TaskMessageCodec.encode(message("s1").retried(1).build());
		this.state.seedField(QUEUE, "s1", "msg", meanwhile);
		List<Object> answer = scripts().runList(LuaScript.UPDATE_PAYLOAD, "task 's1'", List.of("asynq:{default}:t:s1"),
				read, utf8("lost"));
		assertThat(answer.get(0)).isEqualTo(-4L);
		assertThat(this.state.bytes(QUEUE, "s1", "msg")).isEqualTo(meanwhile);
	}

	private ScriptRunner scripts() {
		return RedisState.scripts(this.factory);
	}

	private void assertRefused(TaskMove move, String id, TaskMoveResult result) {
		SortedMap<String, Object> before = this.state.dump(QUEUE);
		assertThat(move(move, id)).containsExactly(result);
		assertThat(this.state.dump(QUEUE)).isEqualTo(before);
	}

	private void assertNothingIn(String... suffixes) {
		assertThat(new TreeSet<>(this.state.dump(QUEUE).keySet())).doesNotContainAnyElementsOf(
				List.of(suffixes).stream().map((name) -> RedisState.key(QUEUE, name)).toList());
	}

	private List<TaskMoveResult> move(TaskMove move, String... ids) {
		return this.broker.mover().move(QUEUE, move, List.of(ids));
	}

	private void seed(TaskState state, TaskMessage message) {
		switch (state) {
			case PENDING -> this.state.seedPending(message);
			case ACTIVE -> this.state.seedActive(in(30), message);
			case SCHEDULED -> this.state.seedScheduled(in(5), message);
			case RETRY -> this.state.seedRetry(in(5), message);
			case ARCHIVED -> this.state.seedArchived(in(-5), message);
			case COMPLETED -> this.state.seedCompleted(in(5), message);
			case AGGREGATING -> this.state.seedGrouped(in(0), message);
		}
	}

	private String nowNanos() {
		Instant now = this.clock.instant();
		return now.getEpochSecond() + String.format("%09d", now.getNano());
	}

	private Instant in(int seconds) {
		return this.clock.instant().plusSeconds(seconds);
	}

	private Instant ago(int days) {
		return this.clock.instant().minus(Duration.ofDays(days));
	}

	private static TaskMoveResult done(TaskState from) {
		return new TaskMoveResult(Status.DONE, from);
	}

	private static TaskMessage.Builder message(String id) {
		return RedisState.message(QUEUE, id);
	}

}
