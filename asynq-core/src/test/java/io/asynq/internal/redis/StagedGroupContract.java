package io.asynq.internal.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

import io.asynq.BrokerException;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.group.GroupStore;
import io.asynq.internal.group.GroupStore.AggregationStatus;
import io.asynq.internal.group.StagedGroup;
import io.asynq.internal.worker.CrashRecord;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How staged sets end: the new task is stored in the same step that begins their
 * deletion.
 */
@OnDrivers
class StagedGroupContract extends AggregationContract {

	private static final String LEFT_OVER = "asynqj:{default}:aggregated";

	private static final String AGGREGATORS = "asynqj:{default}:aggregators";

	private static final String CRASHES = "asynqj:{default}:aggregator-crashes";

	StagedGroupContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void silentlyExpiredSetCountsAsCrashOfAggregator() {
		for (int death = 1; death <= 7; death++) {
			grouped("g", 20, 2);
			StagedGroup staged = stage("g", LIMITS);
			assertThat(this.broker.groups().begin(staged).crashes()).isEqualTo(death - 1);
			this.clock.advance(Duration.ofSeconds(130));
			assertThat(this.broker.groups().relist(QUEUE).sets()).isEqualTo(1);
			assertThat(this.broker.groups().countCrashed(QUEUE)).as("its server may still report it").isZero();
			this.clock.advance(Duration.ofSeconds(20));
			assertThat(this.broker.groups().countCrashed(QUEUE)).isEqualTo(1);
			assertThat(this.broker.groups().countCrashed(QUEUE)).isZero();
			assertThat(this.state.redis().hasKey(AGGREGATORS)).isFalse();
			assertThat(this.state.redis().getExpire(CRASHES)).isBetween(1L, 86_400L);
		}
		grouped("g", 20, 2);
		StagedGroup staged = stage("g", LIMITS);
		CrashRecord record = this.broker.groups().begin(staged);
		assertThat(record.crashes()).isEqualTo(7);
		assertThat(record.deaths()).isNotEmpty()
			.allSatisfy((death) -> assertThat(death)
				.matches(".+:" + ProcessHandle.current().pid() + " \\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z"));
		assertThat(this.state.redis().getExpire(AGGREGATORS)).isBetween(1L, 86_400L);
		this.broker.groups().end(staged, GroupStore.End.BY_ITSELF);
		assertThat(this.state.redis().hasKey(AGGREGATORS)).isFalse();
		assertThat(this.state.redis().hasKey(CRASHES)).isFalse();
		assertThat(this.broker.groups().begin(staged)).isEqualTo(CrashRecord.CLEAN);
	}

	@Test
	void uncountedCrashIsKnownToNextAggregation() {
		grouped("g", 20, 2);
		grouped("other", 20, 2);
		this.broker.groups().begin(stage("g", LIMITS));
		StagedGroup other = stage("other", LIMITS);
		assertThat(this.broker.groups().begin(other).crashes()).isZero();
		this.clock.advance(Duration.ofSeconds(130));
		assertThat(this.broker.groups().relist(QUEUE).sets()).isEqualTo(2);
		StagedGroup second = stage("g", LIMITS);
		CrashRecord record = this.broker.groups().begin(second);
		assertThat(record.crashes()).isEqualTo(1);
		assertThat(record.deaths()).singleElement().asString().contains(":" + ProcessHandle.current().pid() + " ");
		this.broker.groups().end(other, GroupStore.End.CUT_SHORT);
		this.clock.advance(Duration.ofSeconds(20));
		assertThat(this.broker.groups().countCrashed(QUEUE)).isEqualTo(1);
		assertThat(this.broker.groups().begin(second).crashes()).isEqualTo(1);
	}

	@Test
	void crashesThatSetOneSetAsideDoNotCountForTheNext() {
		grouped("g", 20, 2);
		this.broker.groups().begin(stage("g", LIMITS));
		this.clock.advance(Duration.ofSeconds(130));
		assertThat(this.broker.groups().relist(QUEUE).sets()).isEqualTo(1);
		StagedGroup second = stage("g", LIMITS);
		assertThat(this.broker.groups().begin(second).crashes()).isEqualTo(1);
		this.broker.groups().end(second, GroupStore.End.BY_ITSELF);
		assertThat(this.broker.groups().begin(second)).isEqualTo(CrashRecord.CLEAN);
		this.broker.groups().end(second, GroupStore.End.CUT_SHORT);
		this.clock.advance(Duration.ofSeconds(60));
		assertThat(this.broker.groups().countCrashed(QUEUE)).isZero();
	}

	@Test
	void serverWithinGraceIsNotTakenForCrashed() {
		grouped("g", 20, 2);
		StagedGroup staged = stage("g", LIMITS);
		this.broker.groups().begin(staged);
		this.clock.advance(Duration.ofSeconds(123));
		assertThat(this.broker.groups().relist(QUEUE).sets()).isEqualTo(1);
		assertThat(this.broker.groups().begin(stage("g", LIMITS))).isEqualTo(CrashRecord.CLEAN);
	}

	@Test
	void stopIsNoCrashUnlessAggregatorCausedIt() {
		grouped("g", 20, 2);
		StagedGroup staged = stage("g", LIMITS);
		this.broker.groups().begin(staged);
		this.broker.groups().end(staged, GroupStore.End.CUT_SHORT);
		assertThat(this.broker.groups().begin(staged)).isEqualTo(CrashRecord.CLEAN);
		this.broker.groups().end(staged, GroupStore.End.CRASHED);
		this.broker.groups().end(staged, GroupStore.End.CRASHED);
		assertThat(this.broker.groups().begin(staged).crashes()).isEqualTo(1);
		this.broker.groups().end(staged, GroupStore.End.CUT_SHORT);
		assertThat(this.broker.groups().begin(staged).crashes()).isEqualTo(1);
	}

	@Test
	void invalidAggregatorMarkerIsSkipped() {
		grouped("g", 20, 2);
		StagedGroup staged = stage("g", LIMITS);
		this.state.redis().opsForHash().put(AGGREGATORS, "elsewhere", "1|host:1");
		this.state.redis().opsForHash().put(AGGREGATORS, staged.set(), "soon");
		this.state.redis().opsForHash().put(CRASHES, "g", "many");
		assertThat(this.broker.groups().countCrashed(QUEUE)).isZero();
		assertThat(this.state.redis().hasKey(AGGREGATORS)).isFalse();
		assertThat(this.broker.groups().begin(staged)).isEqualTo(CrashRecord.CLEAN);
	}

	@Test
	void aggregatorMarkerOfWrongTypeIsNamed() {
		grouped("g", 20, 2);
		StagedGroup staged = stage("g", LIMITS);
		this.state.redis().opsForValue().set(AGGREGATORS, "x");
		assertThatExceptionOfType(BrokerException.class).isThrownBy(() -> this.broker.groups().begin(staged))
			.withMessageContainingAll("queue 'default'", AGGREGATORS, "rename or delete");
		assertThatExceptionOfType(BrokerException.class)
			.isThrownBy(() -> this.broker.groups().end(staged, GroupStore.End.BY_ITSELF));
		assertThatExceptionOfType(BrokerException.class).isThrownBy(() -> this.broker.groups().countCrashed(QUEUE));
	}

	@Test
	void newTaskReplacesOldOnes() {
		grouped("g", 20, 2);
		assertThat(finish(stage("g", LIMITS), pending("new"))).isEqualTo(AggregationStatus.ENQUEUED);
		this.state.assertPending(QUEUE, "new");
		assertThat(this.state.fields(QUEUE, "new")).containsOnlyKeys("state", "pending_since");
		assertThat(this.state.stored(QUEUE, "new").type()).isEqualTo("email:send");
		assertThat(this.state.dump(QUEUE)).containsOnlyKeys(key("pending"), key("t:new"));
	}

	@Test
	void newTaskMayBeScheduled() {
		grouped("g", 20, 2);
		Instant at = this.clock.instant().plusSeconds(60);
		finish(stage("g", LIMITS), new EnqueueRequest(message("new").build(), new Placement.Scheduled(at), null));
		assertThat(this.state.scores(QUEUE, "scheduled")).isEqualTo(Map.of("new", at.getEpochSecond()));
		this.state.assertScheduled(QUEUE, "new");
		assertThat(this.state.dump(QUEUE)).containsOnlyKeys(key("scheduled"), key("t:new"));
	}

	@Test
	void newTaskMayBeUnique() {
		grouped("g", 20, 2);
		TaskMessage unique = TaskMessage.builder("digest", "new", QUEUE).build();
		finish(stage("g", LIMITS), new EnqueueRequest(unique, new Placement.Pending(), Duration.ofHours(1)));
		assertThat(this.state.value(QUEUE, "unique:digest:")).isEqualTo("new");
		assertThat(this.state.fields(QUEUE, "new")).containsEntry("unique_key", key("unique:digest:"));
		assertThat(this.state.stored(QUEUE, "new").uniqueKey()).isEqualTo(key("unique:digest:"));
	}

	@Test
	void newTaskMayReplaceAnArchivedOne() {
		grouped("g", 20, 2);
		this.state.seedArchived(ago(60), message("new").errorMessage("boom").build());
		TaskMessage digest = TaskMessage.builder("digest", "new", QUEUE).build();
		assertThat(finish(stage("g", LIMITS),
				new EnqueueRequest(digest, new Placement.Pending(), Duration.ofHours(1), "daily", true)))
			.isEqualTo(AggregationStatus.ENQUEUED);
		this.state.assertPending(QUEUE, "new");
		assertThat(this.state.stored(QUEUE, "new").type()).isEqualTo("digest");
		assertThat(this.state.value(QUEUE, "unique:digest:=daily")).isEqualTo("new");
		assertThat(this.state.exists(key("archived"))).isFalse();
	}

	@Test
	void newTaskMayTakeLockOfOldOne() {
		String lock = key("unique:digest:");
		this.state.seedGrouped(ago(20), message("old").uniqueKey(lock).group("g").build());
		this.state.seedLock(lock, "old");
		TaskMessage unique = TaskMessage.builder("digest", "new", QUEUE).build();
		assertThat(finish(stage("g", LIMITS), new EnqueueRequest(unique, new Placement.Pending(), Duration.ofHours(1))))
			.isEqualTo(AggregationStatus.ENQUEUED);
		assertThat(this.state.value(QUEUE, "unique:digest:")).isEqualTo("new");
	}

	@Test
	void newTaskMayTakeLockOfLastOfManyOldOnes() {
		String lock = key("unique:digest:");
		grouped("g", 20, 600);
		this.state.seedGrouped(ago(15), message("last").uniqueKey(lock).group("g").build());
		this.state.seedLock(lock, "last");
		TaskMessage unique = TaskMessage.builder("digest", "new", QUEUE).build();
		assertThat(finish(stage("g", ALL), new EnqueueRequest(unique, new Placement.Pending(), Duration.ofHours(1))))
			.isEqualTo(AggregationStatus.ENQUEUED);
		assertThat(this.state.value(QUEUE, "unique:digest:")).isEqualTo("new");
		assertThat(this.state.exists(key("t:last"))).isFalse();
	}

	@Test
	void locksStillHeldByOldTasksAreReleased() {
		// As Go stores it: only the message names the lock
		this.state.seedGrouped(ago(20), message("go").uniqueKey(key("unique:a:")).group("g").build(),
				message("java").uniqueKey(key("unique:b:")).group("g").build(),
				message("lost").uniqueKey(key("unique:c:")).group("g").build(),
				message("strange").uniqueKey("asynq:{other}:unique:d:").group("g").build());
		this.state.redis().opsForHash().delete(key("t:go"), "unique_key");
		this.state.redis().opsForHash().delete(key("t:strange"), "unique_key");
		this.state.seedLock(key("unique:a:"), "go");
		this.state.seedLock(key("unique:b:"), "java");
		this.state.seedLock(key("unique:c:"), "somebody else");
		this.state.seedLock("asynq:{other}:unique:d:", "strange");
		assertThat(finish(stage("g", ALL), pending("new"))).isEqualTo(AggregationStatus.ENQUEUED);
		assertThat(this.state.exists(key("unique:a:"))).isFalse();
		assertThat(this.state.exists(key("unique:b:"))).isFalse();
		assertThat(this.state.exists(key("unique:c:"))).isTrue();
		assertThat(this.state.exists("asynq:{other}:unique:d:")).isTrue();
	}

	@Test
	void takenIdChangesNothing() {
		this.state.seedPending(message("new").build());
		refuses(pending("new"), AggregationStatus.ID_CONFLICT);
	}

	@Test
	void heldLockChangesNothing() {
		this.state.seedLock(key("unique:digest:"), "somebody");
		refuses(new EnqueueRequest(TaskMessage.builder("digest", "new", QUEUE).build(), new Placement.Pending(),
				Duration.ofHours(1)), AggregationStatus.DUPLICATE);
	}

	@Test
	void returnedSetIsNotFinished() {
		grouped("g", 20, 2);
		StagedGroup staged = stage("g", LIMITS);
		List<TaskMessage> members = this.store.read(staged);
		this.clock.advance(Duration.ofSeconds(120));
		assertThat(this.broker.groups().relist(QUEUE).sets()).isEqualTo(1);
		SortedMap<String, Object> before = this.state.dump(QUEUE);
		assertThat(this.store.finish(staged, members, pending("new"))).isEqualTo(AggregationStatus.EXPIRED);
		assertThat(this.state.dump(QUEUE)).isEqualTo(before);
		this.state.assertGrouped(QUEUE, "g", "g0", "g1");
	}

	@Test
	void setIsFinishedOnce() {
		grouped("g", 20, 2);
		StagedGroup staged = stage("g", LIMITS);
		List<TaskMessage> members = this.store.read(staged);
		assertThat(this.store.finish(staged, members, pending("new"))).isEqualTo(AggregationStatus.ENQUEUED);
		assertThat(this.store.finish(staged, members, pending("newer"))).isEqualTo(AggregationStatus.EXPIRED);
		this.store.giveBack(staged);
		this.state.assertPending(QUEUE, "new");
		assertThat(this.state.dump(QUEUE)).containsOnlyKeys(key("pending"), key("t:new"));
	}

	@Test
	void manyTasksAreDeletedInSteps() {
		grouped("g", 20, 1234);
		assertThat(finish(stage("g", ALL), pending("new"))).isEqualTo(AggregationStatus.ENQUEUED);
		assertThat(this.state.dump(QUEUE)).containsOnlyKeys(key("pending"), key("t:new"));
	}

	@Test
	void leftoverTasksNeverReturnAndAnyServerDeletesThem() {
		String lock = key("unique:a:");
		this.state.seedGrouped(ago(10), message("last").uniqueKey(lock).group("g").build());
		this.state.redis().opsForHash().delete(key("t:last"), "unique_key");
		this.state.seedLock(lock, "last");
		grouped("g", 20, 600);
		StagedGroup staged = stage("g", ALL);
		// As if the server died after its first step
		assertThat(this.store.finish(staged, this.store.read(staged).subList(0, 500), pending("new")))
			.isEqualTo(AggregationStatus.ENQUEUED);
		assertThat(scores(staged)).hasSize(101);
		assertThat(this.state.exists(key(SETS))).isFalse();
		assertThat(this.state.redis().opsForZSet().range(LEFT_OVER, 0, -1)).containsExactly(staged.set());
		this.clock.advance(Duration.ofHours(1));
		assertThat(this.broker.groups().relist(QUEUE).sets()).isZero();
		assertThat(this.broker.groups().deleteLeftOver(QUEUE)).isEqualTo(101);
		assertThat(this.state.dump(QUEUE)).containsOnlyKeys(key("pending"), key("t:new"));
		assertThat(this.broker.groups().deleteLeftOver(QUEUE)).isZero();
	}

	@Test
	void lateDeletionSparesTasksEnqueuedAgainUnderSameId() {
		grouped("g", 20, 1200);
		StagedGroup staged = stage("g", ALL);
		List<TaskMessage> members = this.store.read(staged);
		// As if the server hung after its first step while another continued
		List<Object> late = deletion(members.subList(500, 1000));
		this.store.finish(staged, members.subList(0, 500), pending("new"));
		delete(staged, late);
		TaskMessage anew = members.get(700).toBuilder().group("h").uniqueKey(key("unique:a:")).build();
		this.state.seedGrouped(ago(0), anew);
		this.state.seedLock(key("unique:a:"), anew.id());
		assertThat(delete(staged, late)).as("remaining in the set").isEqualTo(200);
		this.state.assertGrouped(QUEUE, "h", anew.id());
		assertThat(this.state.value(QUEUE, "unique:a:")).isEqualTo(anew.id());
		assertThat(this.broker.groups().deleteLeftOver(QUEUE)).isEqualTo(200);
	}

	@Test
	void taskIsStoredEvenIfOldOnesCannotBeDeletedYet() {
		grouped("g", 20, 600);
		StagedGroup staged = stage("g", ALL);
		List<TaskMessage> members = this.store.read(staged);
		List<TaskMessage> breakingTheSecondStep = new AbstractList<>() {

			@Override
			public TaskMessage get(int index) {
				if (index == 500) {
					StagedGroupContract.this.state.redis().opsForValue().set(LEFT_OVER, "");
				}
				return members.get(index);
			}

			@Override
			public int size() {
				return members.size();
			}

		};
		assertThat(this.store.finish(staged, breakingTheSecondStep, pending("new")))
			.isEqualTo(AggregationStatus.ENQUEUED);
		assertThat(scores(staged)).hasSize(100);
		this.state.redis().delete(LEFT_OVER);
		this.state.redis().opsForZSet().add(LEFT_OVER, staged.set(), 1);
		assertThat(this.broker.groups().deleteLeftOver(QUEUE)).isEqualTo(100);
		assertThat(this.state.dump(QUEUE)).containsOnlyKeys(key("pending"), key("t:new"));
	}

	@Test
	void markerOfMissingSetIsRemoved() {
		this.state.redis().opsForZSet().add(LEFT_OVER, key("g:g:gone"), 1);
		assertThat(this.broker.groups().deleteLeftOver(QUEUE)).isZero();
		assertThat(this.state.exists(LEFT_OVER)).isFalse();
	}

	@Test
	void taskInAnotherStateIsNotDeleted() {
		grouped("g", 20, 1);
		this.state.seedPending(message("elsewhere").uniqueKey(key("unique:a:")).build());
		this.state.seedLock(key("unique:a:"), "elsewhere");
		this.state.redis().opsForZSet().add(key("g:g"), "elsewhere", 1);
		finish(stage("g", LIMITS), pending("new"));
		this.state.assertPending(QUEUE, "elsewhere", "new");
		assertThat(this.state.exists(key("unique:a:"))).isTrue();
	}

	@Test
	void keysOfWrongTypeAreNamedAndNothingIsLost() {
		grouped("g", 20, 2);
		StagedGroup staged = stage("g", LIMITS);
		List<TaskMessage> members = this.store.read(staged);
		this.state.redis().opsForValue().set(key("pending"), "no list");
		SortedMap<String, Object> before = this.state.dump(QUEUE);
		assertThatExceptionOfType(BrokerException.class)
			.isThrownBy(() -> this.store.finish(staged, members, pending("new")))
			.withMessageContainingAll("group 'g' of queue 'default'", key("pending"), "rename or delete");
		assertThat(this.state.dump(QUEUE)).isEqualTo(before);
		this.state.redis().opsForValue().set(key("archived"), "no sorted set");
		assertThatExceptionOfType(BrokerException.class).isThrownBy(() -> this.store.archive(staged, members, "no use"))
			.withMessageContainingAll("queue 'default'", key("archived"), "rename or delete");
		this.state.redis().opsForValue().set(key("g:g"), "no sorted set");
		assertThatExceptionOfType(BrokerException.class).isThrownBy(() -> this.store.giveBack(staged))
			.withMessageContainingAll("group 'g' of queue 'default'", key("g:g"), "rename or delete");
		assertThatExceptionOfType(BrokerException.class).isThrownBy(() -> this.store.stage(QUEUE, "g", LIMITS))
			.withMessageContaining(key("g:g"));
		assertThat(this.store.due(QUEUE, LIMITS, null).groups()).isEmpty();
		this.state.redis().delete(key("groups"));
		this.state.redis().opsForValue().set(key("groups"), "no set");
		assertThatExceptionOfType(BrokerException.class).isThrownBy(() -> this.store.due(QUEUE, LIMITS, null))
			.withMessageContainingAll("queue 'default'", key("groups"), "rename or delete");
		assertThat(scores(staged)).hasSize(2);
	}

	@Test
	void groupFilledByForwarderIsDueLikeAnyOther() {
		Instant at = this.clock.instant().plusSeconds(5);
		this.broker.enqueuer()
			.enqueue(new EnqueueRequest(message("later").group("g").build(), new Placement.Scheduled(at), null));
		this.clock.advance(Duration.ofSeconds(5));
		this.broker.upkeep().forward(QUEUE);
		assertThat(this.store.due(QUEUE, LIMITS, null).untilNext()).isEqualTo(Duration.ofSeconds(10));
		this.clock.advance(Duration.ofSeconds(10));
		assertThat(this.store.due(QUEUE, LIMITS, null).groups()).containsExactly("g");
		finish(stage("g", LIMITS), pending("new"));
		this.state.assertPending(QUEUE, "new");
		assertThat(this.state.exists(key("t:later"))).isFalse();
	}

	private static List<Object> deletion(List<TaskMessage> members) {
		List<Object> args = new ArrayList<>(List.of(key("t:")));
		members.forEach((member) -> args.addAll(List.of(member.id(), "")));
		return args;
	}

	private long delete(StagedGroup staged, List<Object> args) {
		return RedisState.scripts(this.factory)
			.runLong(LuaScript.DELETE_STAGED, "queue", List.of(staged.set(), LEFT_OVER), args.toArray());
	}

	private void refuses(EnqueueRequest request, AggregationStatus status) {
		grouped("g", 20, 2);
		StagedGroup staged = stage("g", LIMITS);
		List<TaskMessage> members = this.store.read(staged);
		SortedMap<String, Object> before = this.state.dump(QUEUE);
		assertThat(this.store.finish(staged, members, request)).isEqualTo(status);
		assertThat(this.state.dump(QUEUE)).isEqualTo(before);
	}

	private AggregationStatus finish(StagedGroup staged, EnqueueRequest request) {
		return this.store.finish(staged, this.store.read(staged), request);
	}

	private static EnqueueRequest pending(String id) {
		return new EnqueueRequest(message(id).build(), new Placement.Pending(), null);
	}

}
