package io.asynq.operations.repair;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.OnDrivers;
import io.asynq.internal.redis.RedisState;
import io.asynq.operations.repair.Inconsistency.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

/**
 * Inconsistencies are found, named and repaired, and nothing else is changed.
 */
@OnDrivers
class RepairContract extends MendingContract {

	private static final String LOCK = "asynq:{default}:unique:email:send:x";

	RepairContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void consistentQueueHasNothingToRepair() {
		this.state.seedPending(message("p1").build(), message("p2").build());
		this.state.seedActive(in(30), message("a1").build());
		this.state.seedScheduled(in(30), message("s1").build());
		this.state.seedRetry(in(30), message("r1").build());
		this.state.seedArchived(in(0), message("x1").build());
		this.state.seedCompleted(in(30), message("c1").build());
		this.state.seedGrouped(in(0), message("g1").group("a").build(), message("g2").group("b:c").build());
		this.state.seedLock(LOCK, "p1");
		stage("staged", in(60));
		this.state.redis().opsForValue().set("asynq:{default}:paused", "1");
		this.state.redis().opsForValue().set("asynq:{default}:processed:" + DAY, "1");
		assertThat(check()).isEmpty();
	}

	@Test
	void otherQueuesAreNotExamined() {
		this.state.seedActive(null, RedisState.message("default2", "t1").build());
		this.state.seedActive(null, RedisState.message("defaul*", "t1").build());
		assertThat(check()).isEmpty();
	}

	@Test
	void patternCharactersInQueueNameAreLiteral() {
		this.state.seedActive(null, RedisState.message("a*[b]?", "t1").build());
		this.state.seedActive(null, RedisState.message("aXb", "t2").build());
		List<Inconsistency> found = new ArrayList<>();
		this.repair.check("a*[b]?", null, Integer.MAX_VALUE, found::add);
		assertThat(found).extracting(Inconsistency::id).containsExactly("t1");
	}

	@ParameterizedTest
	@ValueSource(strings = { "pending", "active" })
	void idWithoutTaskIsRemovedFromLists(String container) {
		this.state.seedPending(message("p1").build());
		this.state.redis().opsForList().leftPush("asynq:{default}:" + container, "ghost");
		mends(Kind.ID_WITHOUT_TASK, "ghost");
		assertThat(this.state.redis().opsForList().range("asynq:{default}:" + container, 0, -1))
			.doesNotContain("ghost");
		this.state.assertPending(QUEUE, "p1");
	}

	@ParameterizedTest
	@ValueSource(strings = { "scheduled", "retry", "archived", "completed", "lease" })
	void idWithoutTaskIsRemovedFromSortedSets(String container) {
		this.state.seedPending(message("p1").build());
		this.state.redis().opsForZSet().add("asynq:{default}:" + container, "ghost", 1);
		mends(Kind.ID_WITHOUT_TASK, "ghost");
		assertThat(this.state.exists("asynq:{default}:" + container)).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "scheduled", "retry", "archived", "completed" })
	void taskInNoContainerMovesToContainerOfItsState(String container) {
		this.state.seedScheduled(in(60), message("t1").build());
		this.state.redis().delete("asynq:{default}:scheduled");
		this.state.seedField(QUEUE, "t1", "state", utf8(container));
		mends(Kind.TASK_WITHOUT_CONTAINER, "t1");
		assertThat(this.state.scores(QUEUE, container)).containsExactly(entry("t1", nowSeconds()));
		assertThat(this.state.fields(QUEUE, "t1")).containsEntry("state", container);
	}

	@Test
	void pendingTaskInNoContainerIsPendingAgain() {
		this.state.seedPending(message("t1").build());
		this.state.redis().delete("asynq:{default}:pending");
		mends(Kind.TASK_WITHOUT_CONTAINER, "t1");
		this.state.assertPending(QUEUE, "t1");
	}

	@Test
	void activeTaskInNoContainerIsRecoveredNext() {
		this.state.seedActive(null, message("t1").build());
		this.state.redis().delete("asynq:{default}:active");
		mends(Kind.TASK_WITHOUT_CONTAINER, "t1");
		this.state.assertActive(QUEUE, "t1");
		assertThat(this.broker.upkeep().ending(QUEUE, Duration.ZERO, Duration.ofSeconds(10), 0, 10).leases())
			.hasSize(1);
	}

	@Test
	void taskWithoutStateAndContainerIsArchived() {
		this.state.seedPending(message("t1").build());
		this.state.redis().delete("asynq:{default}:pending");
		this.state.redis().opsForHash().delete("asynq:{default}:t:t1", "state");
		mends(Kind.TASK_WITHOUT_CONTAINER, "t1");
		this.state.assertArchived(QUEUE, "t1");
	}

	@Test
	void taskWithWrongStateGetsStateOfItsContainer() {
		this.state.seedRetry(in(60), message("t1").build());
		this.state.seedField(QUEUE, "t1", "state", utf8("pending"));
		mends(Kind.WRONG_STATE, "t1");
		this.state.assertRetry(QUEUE, "t1");
	}

	@Test
	void taskInTwoContainersStaysWhereItsStateSays() {
		this.state.seedPending(message("t1").build());
		this.state.seedRetry(in(60), message("t1").build());
		this.state.redis().opsForList().leftPush("asynq:{default}:active", "t1");
		this.state.redis().opsForZSet().add("asynq:{default}:lease", "t1", nowSeconds());
		mends(Kind.IN_TWO_CONTAINERS, "t1");
		this.state.assertRetry(QUEUE, "t1");
		assertThat(this.state.pending(QUEUE)).isEmpty();
		this.state.assertActive(QUEUE);
	}

	@ParameterizedTest
	@ValueSource(strings = { "pending", "active" })
	void duplicateIdInListIsKeptOnce(String container) {
		this.state.seedPending(message("p1").build());
		if (container.equals("active")) {
			this.state.seedActive(in(30), message("t1").build());
		}
		else {
			this.state.seedPending(message("t1").build());
		}
		this.state.redis().opsForList().leftPush("asynq:{default}:" + container, "t1");
		mends(Kind.DOUBLE_ENTRY, "t1");
		assertThat(this.state.redis().opsForList().range("asynq:{default}:" + container, 0, -1)).containsOnlyOnce("t1");
	}

	@Test
	void activeTaskWithoutLeaseIsRecoveredNext() {
		this.state.seedActive(null, message("t1").build());
		mends(Kind.ACTIVE_WITHOUT_LEASE, "t1");
		this.state.assertActive(QUEUE, "t1");
		assertThat(this.state.scores(QUEUE, "lease")).containsEntry("t1", nowSeconds());
	}

	@Test
	void leaseOfInactiveTaskIsRemoved() {
		this.state.seedRetry(in(60), message("t1").build());
		this.state.redis().opsForZSet().add("asynq:{default}:lease", "t1", nowSeconds());
		mends(Kind.LEASE_WITHOUT_ACTIVE, "t1");
		this.state.assertRetry(QUEUE, "t1");
		assertThat(this.state.exists("asynq:{default}:lease")).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "scheduled", "retry", "archived", "completed" })
	void fractionalScoreIsCut(String container) {
		this.state.seedPending(message("p1").build());
		this.state.seedScheduled(in(60), message("t1").build());
		this.state.redis().delete("asynq:{default}:scheduled");
		this.state.seedField(QUEUE, "t1", "state", utf8(container));
		this.state.redis().opsForZSet().add("asynq:{default}:" + container, "t1", nowSeconds() + 1.5);
		mends(Kind.FRACTIONAL_SCORE, "t1");
		assertThat(this.state.scores(QUEUE, container)).containsExactly(entry("t1", nowSeconds() + 1));
	}

	@Test
	void infiniteScoreBecomesReadableByGo() {
		this.state.seedScheduled(in(60), message("t1").build());
		this.state.redis().opsForZSet().add("asynq:{default}:scheduled", "t1", Double.POSITIVE_INFINITY);
		mends(Kind.FRACTIONAL_SCORE, "t1");
		assertThat(this.state.scores(QUEUE, "scheduled")).containsExactly(entry("t1", 253_402_300_799L));
	}

	@Test
	void undecodableTaskIsArchivedUnchanged() {
		this.state.seedPending(message("p1").build(), message("t1").build());
		byte[] bytes = { (byte) 0xFF, 1 };
		this.state.seedField(QUEUE, "t1", "msg", bytes);
		mends(Kind.UNDECODABLE, "t1");
		this.state.assertArchived(QUEUE, "t1");
		this.state.assertPending(QUEUE, "p1");
		assertThat(this.state.bytes(QUEUE, "t1", "msg")).isEqualTo(bytes);
	}

	@Test
	void keyOfWrongTypeIsSetAside() {
		this.state.seedPending(message("p1").build());
		this.state.redis().opsForValue().set("asynq:{default}:retry", "text");
		mends(Kind.WRONG_TYPE, "retry");
		assertThat(this.state.exists("asynq:{default}:retry")).isFalse();
		assertThat(this.state.redis().opsForValue().get("asynqj:{default}:set-aside:retry")).isEqualTo("text");
	}

	@Test
	void resultWithoutTaskIsDeleted() {
		this.state.seedPending(message("p1").build());
		this.state.seedField(QUEUE, "gone", "result", utf8("42"));
		List<Inconsistency> found = check();
		assertThat(found).extracting(Inconsistency::kind)
			.containsExactlyInAnyOrder(Kind.TASK_WITHOUT_CONTAINER, Kind.UNDECODABLE);
		found.forEach(this.repair::mend);
		assertThat(this.state.exists("asynq:{default}:t:gone")).isFalse();
		assertThat(check()).isEmpty();
	}

	@Test
	void lockOfMissingTaskIsReleased() {
		this.state.seedPending(message("p1").build());
		this.state.seedLock(LOCK, "gone");
		mends(Kind.LOCK_WITHOUT_TASK, "unique:email:send:x");
		assertThat(this.state.exists(LOCK)).isFalse();
	}

	@Test
	void unlistedQueueIsListed() {
		this.state.seedPending(message("p1").build());
		this.state.redis().opsForSet().remove("asynq:queues", QUEUE);
		mends(Kind.QUEUE_NOT_LISTED, QUEUE);
		assertThat(this.broker.queues().queues()).contains(QUEUE);
	}

	@Test
	void queueRepairedMeanwhileIsLeftAlone() {
		this.state.seedPending(message("t1").build());
		var before = this.state.dump(QUEUE);
		for (Kind kind : Kind.values()) {
			if (kind != Kind.WRONG_TYPE && kind != Kind.UNDECODABLE) {
				assertThat(this.repair.mend(new Inconsistency(kind, QUEUE, "t1", "", ""))).as("%s", kind).isFalse();
			}
		}
		assertThat(this.state.dump(QUEUE)).isEqualTo(before);
	}

	@Test
	void manyTasksAreExaminedInSlices() {
		List<EnqueueRequest> requests = new ArrayList<>();
		for (int i = 0; i < 2300; i++) {
			requests.add(new EnqueueRequest(message("t" + i).build(), new Placement.Pending(), null));
		}
		this.broker.enqueuer().enqueueAll(requests);
		for (int i = 0; i < 2300; i += 2) {
			this.state.redis().delete("asynq:{default}:t:t" + i);
		}
		assertThat(check()).hasSize(1150).extracting(Inconsistency::kind).containsOnly(Kind.ID_WITHOUT_TASK);
	}

	@Test
	void repairDoesNotRestoreTasksBeingDeleted() {
		beginDeletion();
		SortedMap<String, Object> before = this.state.dump(QUEUE);
		this.repair.check(QUEUE, null, Integer.MAX_VALUE, (found) -> assertThat(this.repair.mend(found)).isFalse());
		assertThat(this.state.dump(QUEUE)).isEqualTo(before);
	}

	@Test
	void repairDoesNotArchiveUndecodableTasksBeingDeleted() {
		beginDeletion();
		this.state.seedField(QUEUE, "p1", "msg", utf8("no message"));
		SortedMap<String, Object> before = this.state.dump(QUEUE);
		this.repair.check(QUEUE, null, Integer.MAX_VALUE, (found) -> assertThat(this.repair.mend(found)).isFalse());
		assertThat(this.state.dump(QUEUE)).isEqualTo(before);
	}

	@Test
	void deletionMarkerOfWrongTypeDoesNotBlockRepair() {
		this.state.seedPending(message("lost").build());
		this.state.redis().delete("asynq:{default}:pending");
		this.state.redis().opsForValue().set("asynqj:{default}:deleted", "text");
		this.repair.check(QUEUE, null, Integer.MAX_VALUE, (found) -> assertThat(this.repair.mend(found)).isTrue());
		this.state.assertPending(QUEUE, "lost");
	}

	private void beginDeletion() {
		this.state.seedPending(message("p1").uniqueKey(LOCK).build());
		this.state.seedLock(LOCK, "p1");
		this.state.seedMany(QUEUE, "completed", 1100, nowSeconds() + 60);
		Keys keys = Keys.of(QUEUE);
		RedisState.scripts(this.factory)
			.runList(LuaScript.DELETE_QUEUE, "queue",
					List.of(keys.pending(), keys.scheduled(), keys.retry(), keys.archived(), keys.completed(),
							keys.active(), keys.lease(), keys.paused(), keys.deleted()),
					"1", "asynqj:{default}:deleted:an-id:");
		assertThat(this.state.pending(QUEUE)).isEmpty();
		assertThat(this.state.fields(QUEUE, "p1")).isNotEmpty();
	}

}
