package io.asynq.broker.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

import io.asynq.BrokerException;
import io.asynq.broker.AggregationStatus;
import io.asynq.broker.EnqueueRequest;
import io.asynq.broker.Inconsistency;
import io.asynq.broker.Placement;
import io.asynq.broker.StagedGroup;
import io.asynq.broker.TaskMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How staged sets end: finished, or given back.
 */
abstract class StagedGroupContract extends AggregationContract {

	private static final String LEFT_OVER = "asynqj:{default}:aggregated";

	StagedGroupContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void theNewTaskTakesThePlaceOfTheOldOnes() {
		grouped("g", 20, 2);
		assertThat(finish(stage("g", LIMITS), pending("new"))).isEqualTo(AggregationStatus.ENQUEUED);
		this.state.assertPending(QUEUE, "new");
		assertThat(this.state.fields(QUEUE, "new")).containsOnlyKeys("state", "pending_since");
		assertThat(this.state.stored(QUEUE, "new").type()).isEqualTo("email:send");
		assertThat(this.state.dump(QUEUE)).containsOnlyKeys(key("pending"), key("t:new"));
	}

	@Test
	void theNewTaskMayBeForLater() {
		grouped("g", 20, 2);
		Instant at = this.clock.instant().plusSeconds(60);
		finish(stage("g", LIMITS), new EnqueueRequest(message("new").build(), new Placement.Scheduled(at), null));
		assertThat(this.state.scores(QUEUE, "scheduled")).isEqualTo(Map.of("new", at.getEpochSecond()));
		this.state.assertScheduled(QUEUE, "new");
		assertThat(this.state.dump(QUEUE)).containsOnlyKeys(key("scheduled"), key("t:new"));
	}

	@Test
	void theNewTaskMayBeUnique() {
		grouped("g", 20, 2);
		TaskMessage unique = TaskMessage.builder("digest", "new", QUEUE).build();
		finish(stage("g", LIMITS), new EnqueueRequest(unique, new Placement.Pending(), Duration.ofHours(1)));
		assertThat(this.state.value(QUEUE, "unique:digest:")).isEqualTo("new");
		assertThat(this.state.fields(QUEUE, "new")).containsEntry("unique_key", key("unique:digest:"));
		assertThat(this.state.stored(QUEUE, "new").uniqueKey()).isEqualTo(key("unique:digest:"));
	}

	@Test
	void theNewTaskMayHaveTheLockOfAnOldOne() {
		String lock = key("unique:digest:");
		this.state.seedGrouped(ago(20), message("old").uniqueKey(lock).group("g").build());
		this.state.seedLock(lock, "old");
		TaskMessage unique = TaskMessage.builder("digest", "new", QUEUE).build();
		assertThat(finish(stage("g", LIMITS), new EnqueueRequest(unique, new Placement.Pending(), Duration.ofHours(1))))
			.isEqualTo(AggregationStatus.ENQUEUED);
		assertThat(this.state.value(QUEUE, "unique:digest:")).isEqualTo("new");
	}

	@Test
	void theNewTaskMayHaveTheLockOfTheLastOfManyOldOnes() {
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
	void theLocksOfTheOldOnesAreReleasedIfTheyStillHoldThem() {
		// As Go stores it: the lock is named only in the message
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
	void anIdThatIsTakenChangesNothing() {
		this.state.seedPending(message("new").build());
		refuses(pending("new"), AggregationStatus.ID_CONFLICT);
	}

	@Test
	void aLockThatIsHeldChangesNothing() {
		this.state.seedLock(key("unique:digest:"), "somebody");
		refuses(new EnqueueRequest(TaskMessage.builder("digest", "new", QUEUE).build(), new Placement.Pending(),
				Duration.ofHours(1)), AggregationStatus.DUPLICATE);
	}

	@Test
	void aSetThatWentBackIsNotFinished() {
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
	void aSetIsFinishedOnce() {
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
	void whatIsLeftOverNeverGoesBackAndIsDeletedByAnyServer() {
		String lock = key("unique:a:");
		this.state.seedGrouped(ago(10), message("last").uniqueKey(lock).group("g").build());
		this.state.redis().opsForHash().delete(key("t:last"), "unique_key");
		this.state.seedLock(lock, "last");
		grouped("g", 20, 600);
		StagedGroup staged = stage("g", ALL);
		// As if the server ended after its first step
		assertThat(this.store.finish(staged, this.store.read(staged).subList(0, 500), pending("new")))
			.isEqualTo(AggregationStatus.ENQUEUED);
		assertThat(scores(staged)).hasSize(101);
		assertThat(this.state.exists(key(SETS))).isFalse();
		assertThat(this.state.redis().opsForZSet().range(LEFT_OVER, 0, -1)).containsExactly(staged.set());
		this.clock.advance(Duration.ofHours(1));
		assertThat(this.broker.groups().relist(QUEUE).sets()).isZero();
		assertThat(this.store.deleteLeftOver(QUEUE)).isEqualTo(101);
		assertThat(this.state.dump(QUEUE)).containsOnlyKeys(key("pending"), key("t:new"));
		assertThat(this.store.deleteLeftOver(QUEUE)).isZero();
	}

	@Test
	void aTaskIsStoredEvenIfTheRestOfTheOldOnesCannotBeDeletedNow() {
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
		assertThat(this.store.deleteLeftOver(QUEUE)).isEqualTo(100);
		assertThat(this.state.dump(QUEUE)).containsOnlyKeys(key("pending"), key("t:new"));
	}

	@Test
	void whatIsLeftOverIsNoInconsistency() {
		grouped("g", 20, 600);
		StagedGroup staged = stage("g", ALL);
		this.store.finish(staged, this.store.read(staged).subList(0, 500), pending("new"));
		assertThat(diagnose()).isEmpty();
		assertThat(this.broker.consistency()
			.repair(new Inconsistency(Inconsistency.Kind.STAGED_SET_FORGOTTEN, QUEUE, "g", "",
					staged.set().substring(key("").length()))))
			.isFalse();
		assertThat(this.state.exists(key("g:g"))).isFalse();
	}

	@Test
	void aNoteOfASetThatIsGoneIsRemoved() {
		this.state.redis().opsForZSet().add(LEFT_OVER, key("g:g:gone"), 1);
		assertThat(this.store.deleteLeftOver(QUEUE)).isZero();
		assertThat(this.state.exists(LEFT_OVER)).isFalse();
	}

	@Test
	void aTaskThatSaysItStandsElsewhereIsNotDeleted() {
		grouped("g", 20, 1);
		this.state.seedPending(message("elsewhere").uniqueKey(key("unique:a:")).build());
		this.state.seedLock(key("unique:a:"), "elsewhere");
		this.state.redis().opsForZSet().add(key("g:g"), "elsewhere", 1);
		finish(stage("g", LIMITS), pending("new"));
		this.state.assertPending(QUEUE, "elsewhere", "new");
		assertThat(this.state.exists(key("unique:a:"))).isTrue();
	}

	@Test
	void aSetGoesBackAtOnceAndItsGroupIsListed() {
		grouped("g", 20, 2);
		SortedMap<String, Object> before = this.state.dump(QUEUE);
		StagedGroup staged = stage("g", LIMITS);
		this.store.giveBack(staged);
		assertThat(this.state.dump(QUEUE)).isEqualTo(before);
		this.store.giveBack(staged);
		assertThat(this.state.dump(QUEUE)).isEqualTo(before);
	}

	@Test
	void aSetGoesBackToAGroupThatHasNewTasks() {
		grouped("g", 20, 2);
		StagedGroup staged = stage("g", LIMITS);
		this.state.seedGrouped(ago(0), message("new").group("g").build());
		this.store.giveBack(staged);
		this.state.assertGrouped(QUEUE, "g", "g0", "g1", "new");
		assertThat(this.state.scores(QUEUE, "g:g")).containsEntry("g0", nowSeconds() - 20)
			.containsEntry("new", nowSeconds());
		assertThat(this.state.exists(staged.set())).isFalse();
		assertThat(this.state.exists(key(SETS))).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "600, 2", "3, 600", "600, 700" })
	void aSetGoesBackToAGroupWhateverTheirSizes(int staged, int joined) {
		grouped("g", 20, staged);
		StagedGroup set = stage("g", ALL);
		Map<String, Long> all = new HashMap<>(scores(set));
		for (int i = 0; i < joined; i++) {
			this.state.seedGrouped(ago(5), message("new" + i).group("g").build());
		}
		all.putAll(this.state.scores(QUEUE, "g:g"));
		this.store.giveBack(set);
		assertThat(this.state.scores(QUEUE, "g:g")).hasSize(staged + joined).isEqualTo(all);
		assertThat(this.state.exists(set.set())).isFalse();
		assertThat(this.state.exists(key(SETS))).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "1, 600", "600, 1", "600, 600" })
	void anIdThatHasJoinedOnceMoreKeepsItsEarlierTime(int staged, int joined) {
		grouped("g", 20, staged);
		StagedGroup set = stage("g", ALL);
		grouped("g", 5, joined);
		this.store.giveBack(set);
		assertThat(this.state.scores(QUEUE, "g:g")).hasSize(Math.max(staged, joined))
			.containsEntry("g0", nowSeconds() - 20);
	}

	@Test
	void tasksThatAreRejectedAreArchivedWithTheReason() {
		grouped("g", 20, 3);
		StagedGroup staged = stage("g", LIMITS);
		List<TaskMessage> members = this.store.read(staged);
		this.store.archive(staged, List.of(members.get(1)), "no use");
		this.state.assertArchived(QUEUE, "g1");
		assertThat(this.state.stored(QUEUE, "g1").errorMessage()).isEqualTo("no use");
		assertThat(this.state.stored(QUEUE, "g1").lastFailedAtSeconds()).isEqualTo(nowSeconds());
		this.state.assertCounters(QUEUE, DAY, 1, 1);
		this.store.giveBack(staged);
		this.state.assertGrouped(QUEUE, "g", "g0", "g2");
	}

	@Test
	void aRejectedTaskThatSaysItStandsElsewhereIsNotArchived() {
		grouped("g", 20, 2);
		StagedGroup staged = stage("g", LIMITS);
		List<TaskMessage> members = this.store.read(staged);
		this.state.redis()
			.opsForHash()
			.putAll(key("t:" + members.get(0).id()),
					Map.of("state", "pending", "pending_since", "1234567890123456789"));
		this.state.redis().opsForList().leftPush(key("pending"), members.get(0).id());
		this.store.archive(staged, members, "rejected");
		assertThat(scores(staged)).isEmpty();
		this.state.assertPending(QUEUE, members.get(0).id());
		assertThat(this.state.scores(QUEUE, "archived")).containsOnlyKeys(members.get(1).id());
	}

	@Test
	void keysOfTheWrongTypeAreNamedAndNothingIsLost() {
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
			.withMessageContainingAll("Group 'g' of queue 'default'", key("g:g"), "rename or delete");
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
	void aGroupThatWasToComeLaterIsDueAsAnyOther() {
		Instant at = this.clock.instant().plusSeconds(5);
		this.broker.enqueuer()
			.enqueue(new EnqueueRequest(message("later").group("g").build(), new Placement.Scheduled(at), null));
		this.clock.advance(Duration.ofSeconds(5));
		this.broker.forwarder().forward(QUEUE);
		assertThat(this.store.due(QUEUE, LIMITS, null).nextDue()).isEqualTo(at.plusSeconds(10));
		this.clock.advance(Duration.ofSeconds(10));
		assertThat(this.store.due(QUEUE, LIMITS, null).groups()).containsExactly("g");
		finish(stage("g", LIMITS), pending("new"));
		this.state.assertPending(QUEUE, "new");
		assertThat(this.state.exists(key("t:later"))).isFalse();
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

	private List<Inconsistency> diagnose() {
		List<Inconsistency> found = new ArrayList<>();
		this.broker.consistency().check(QUEUE, found::add);
		return found;
	}

	private static EnqueueRequest pending(String id) {
		return new EnqueueRequest(message(id).build(), new Placement.Pending(), null);
	}

}
