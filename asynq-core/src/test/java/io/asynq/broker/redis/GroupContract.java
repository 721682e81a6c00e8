package io.asynq.broker.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

import io.asynq.BrokerException;
import io.asynq.broker.AggregationStatus;
import io.asynq.broker.BrokenTask;
import io.asynq.broker.DueGroups;
import io.asynq.broker.EnqueueRequest;
import io.asynq.broker.GroupLimits;
import io.asynq.broker.GroupStore;
import io.asynq.broker.Inconsistency;
import io.asynq.broker.Placement;
import io.asynq.broker.StagedGroup;
import io.asynq.broker.TaskMessage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * When groups are staged, and how staged sets end.
 */
abstract class GroupContract extends BrokerContract {

	private static final GroupLimits LIMITS = GroupLimits.defaults()
		.withGracePeriod(Duration.ofSeconds(10))
		.withMaxDelay(Duration.ofSeconds(60))
		.withMaxSize(3);

	private static final GroupLimits ALL = LIMITS.withMaxSize(0);

	private static final String SETS = "aggregation_sets";

	private static final String LEFT_OVER = "asynqj:{default}:aggregated";

	private final GroupStore store;

	GroupContract(RedisConnectionFactory factory) {
		super(factory);
		this.store = this.broker.groupStore();
	}

	@BeforeEach
	void aWholeSecond() {
		this.clock.advance(Duration.ofNanos(1_000_000_000L - this.clock.instant().getNano()));
	}

	@Test
	void aGroupIsDueWhenItsTasksAreEnough() {
		grouped("few", 0, 2);
		grouped("enough", 0, 3);
		grouped("many", 0, 4);
		DueGroups found = this.store.due(QUEUE, LIMITS, null);
		assertThat(found.groups()).containsExactlyInAnyOrder("enough", "many");
		assertThat(found.nextDue()).isEqualTo(this.clock.instant().plusSeconds(10));
		assertThat(found.next()).isNull();
	}

	@Test
	void aGroupIsDueWhenItsOldestTaskHasWaitedLongEnough() {
		grouped("old", 60, 1);
		this.state.seedGrouped(ago(0), message("new").group("old").build());
		grouped("younger", 59, 1);
		this.state.seedGrouped(ago(0), message("newer").group("younger").build());
		DueGroups found = this.store.due(QUEUE, LIMITS, null);
		assertThat(found.groups()).containsExactly("old");
		assertThat(found.nextDue()).isEqualTo(this.clock.instant().plusSeconds(1));
		assertThat(this.store.due(QUEUE, LIMITS.withMaxDelay(Duration.ZERO), null).groups()).isEmpty();
	}

	@Test
	void aGroupIsDueWhenNoTaskHasJoinedForAWhile() {
		grouped("quiet", 10, 1);
		grouped("busy", 9, 1);
		DueGroups found = this.store.due(QUEUE, LIMITS, null);
		assertThat(found.groups()).containsExactly("quiet");
		assertThat(found.nextDue()).isEqualTo(this.clock.instant().plusSeconds(1));
	}

	@Test
	void thousandsOfGroupsTakeFewLooks() {
		IntStream.range(0, 2000).forEach((i) -> {
			this.state.redis().opsForSet().add(key("groups"), "g" + i);
			this.state.redis().opsForZSet().add(key("g:g" + i), "t" + i, (i % 2 == 0) ? 1 : nowSeconds());
		});
		Set<String> due = new TreeSet<>();
		int looks = 0;
		String from = null;
		do {
			DueGroups found = this.store.due(QUEUE, LIMITS, from);
			due.addAll(found.groups());
			from = found.next();
			looks++;
		}
		while (from != null);
		assertThat(due).hasSize(1000);
		assertThat(looks).isBetween(2, 8);
	}

	@Test
	void namesOfGroupsWithoutTasksAreNotDue() {
		this.state.redis().opsForSet().add(key("groups"), "gone");
		DueGroups found = this.store.due(QUEUE, LIMITS, null);
		assertThat(found).isEqualTo(new DueGroups(List.of(), null, null));
		assertThat(this.store.stage(QUEUE, "gone", LIMITS)).isNull();
	}

	@Test
	void aWholeGroupIsStagedUnderTheNameThatGoExpects() {
		grouped("a:b", 20, 2);
		StagedGroup staged = stage("a:b", LIMITS);
		assertThat(staged.set()).matches("asynq:\\{default}:g:a:b:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
		assertThat(staged.size()).isEqualTo(2);
		assertThat(staged.expiresAt()).isEqualTo(this.clock.instant().plusSeconds(120));
		assertThat(this.state.scores(QUEUE, SETS)).isEqualTo(Map.of(staged.set(), nowSeconds() + 120));
		assertThat(scores(staged)).isEqualTo(Map.of("a:b0", nowSeconds() - 20, "a:b1", nowSeconds() - 20));
		assertThat(this.state.exists(key("g:a:b"))).isFalse();
		assertThat(this.state.exists(key("groups"))).isFalse();
		assertThat(this.state.fields(QUEUE, "a:b0")).containsEntry("state", "aggregating");
	}

	@Test
	void ofALargeGroupTheOldestAreStaged() {
		grouped("g", 5, 2);
		this.state.seedGrouped(ago(7), message("older").group("g").build(), message("oldest").group("g").build());
		StagedGroup staged = stage("g", LIMITS);
		assertThat(scores(staged).keySet()).containsExactlyInAnyOrder("older", "oldest", "g0");
		this.state.assertGrouped(QUEUE, "g", "g1");
	}

	@Test
	void aGroupThatIsNotDueIsLeftAlone() {
		grouped("g", 9, 2);
		SortedMap<String, Object> before = this.state.dump(QUEUE);
		assertThat(this.store.stage(QUEUE, "g", LIMITS)).isNull();
		assertThat(this.state.dump(QUEUE)).isEqualTo(before);
	}

	@Test
	void readsTasksInTheOrderInWhichTheyJoined() {
		grouped("g", 20, 1);
		this.state.seedGrouped(ago(30), message("first").group("g").build());
		assertThat(this.store.read(stage("g", LIMITS)).stream().map(TaskMessage::id)).containsExactly("first", "g0");
	}

	@Test
	void readsAsManyAsThereAre() {
		grouped("g", 20, 1234);
		StagedGroup staged = stage("g", ALL);
		assertThat(staged.size()).isEqualTo(1234);
		assertThat(this.store.read(staged).stream().map(TaskMessage::id)).doesNotHaveDuplicates().hasSize(1234);
	}

	@Test
	void readsTasksThatAreLarge() {
		byte[] large = new byte[3 * 1024 * 1024];
		for (int i = 0; i < 3; i++) {
			this.state.seedGrouped(ago(20), message("large" + i).payload(large).group("g").build());
		}
		assertThat(this.store.read(stage("g", ALL))).extracting(TaskMessage::id)
			.containsExactly("large0", "large1", "large2");
	}

	@Test
	void whatNobodyCanReadBlocksNoOther() {
		grouped("g", 20, 2);
		this.state.seedGrouped(ago(20), message("broken").group("g").build());
		this.state.seedField(QUEUE, "broken", "msg", new byte[] { 0x0F });
		this.state.redis().opsForZSet().add(key("g:g"), "ghost", 1);
		this.state.redis().opsForZSet().add(key("g:g"), "text", 1);
		this.state.redis().opsForValue().set(key("t:text"), "no hash");
		StagedGroup staged = stage("g", ALL);
		assertThat(this.store.read(staged)).extracting(TaskMessage::id).containsExactly("g0", "g1");
		assertThat(scores(staged).keySet()).containsExactlyInAnyOrder("g0", "g1");
		this.state.assertArchived(QUEUE, "broken");
		assertThat(this.state.bytes(QUEUE, "broken", "msg")).containsExactly(0x0F);
		this.state.assertCounters(QUEUE, DAY, 1, 1);
		assertThat(this.brokenTasks).containsExactlyInAnyOrder(
				new BrokenTask(QUEUE, "broken", BrokenTask.Kind.UNDECODABLE),
				new BrokenTask(QUEUE, "ghost", BrokenTask.Kind.MISSING),
				new BrokenTask(QUEUE, "text", BrokenTask.Kind.WRONG_TYPE));
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

	private StagedGroup stage(String group, GroupLimits limits) {
		return Objects.requireNonNull(this.store.stage(QUEUE, group, limits), "not due");
	}

	private Map<String, Long> scores(StagedGroup staged) {
		return this.state.scores(QUEUE, staged.set().substring(key("").length()));
	}

	private List<Inconsistency> diagnose() {
		List<Inconsistency> found = new ArrayList<>();
		this.broker.consistency().check(QUEUE, found::add);
		return found;
	}

	private void grouped(String group, long secondsAgo, int count) {
		for (int i = 0; i < count; i++) {
			this.state.seedGrouped(ago(secondsAgo), message(group + i).group(group).build());
		}
	}

	private Instant ago(long seconds) {
		return this.clock.instant().minusSeconds(seconds);
	}

	private static EnqueueRequest pending(String id) {
		return new EnqueueRequest(message(id).build(), new Placement.Pending(), null);
	}

	private static TaskMessage.Builder message(String id) {
		return RedisState.message(QUEUE, id);
	}

	private static String key(String suffix) {
		return RedisState.key(QUEUE, suffix);
	}

}
