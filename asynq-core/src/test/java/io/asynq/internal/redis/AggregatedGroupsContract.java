package io.asynq.internal.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.group.GroupLimits;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.group.GroupStore;
import io.asynq.internal.group.GroupStore.AggregationStatus;
import io.asynq.internal.group.GroupStore.DueGroups;
import io.asynq.internal.group.StagedGroup;
import io.asynq.internal.worker.CrashRecord;
import io.asynq.internal.worker.LeasedTask;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How groups become due, and what becomes of them.
 */
@OnDrivers
class AggregatedGroupsContract extends StoresContract {

	private static final GroupLimits LIMITS = GroupLimits.defaults()
		.withGracePeriod(Duration.ofSeconds(10))
		.withMaxDelay(Duration.ofSeconds(25))
		.withMaxSize(3);

	private final GroupStore groups;

	AggregatedGroupsContract(RedisConnectionFactory factory) {
		super(factory);
		this.groups = this.broker.groups();
	}

	@Test
	void groupIsDueWhenNoTaskHasJoinedForTheGracePeriod() {
		join("g", "a");
		pass(5);
		join("g", "b");
		pass(9);
		DueGroups early = this.groups.due(QUEUE, LIMITS, null);
		assertThat(early.groups()).isEmpty();
		assertThat(early.untilNext()).isEqualTo(Duration.ofMillis(877));
		assertThat(this.groups.stage(QUEUE, "g", LIMITS)).isNull();
		pass(1);
		assertThat(this.groups.due(QUEUE, LIMITS, null)).isEqualTo(new DueGroups(List.of("g"), null, null));
	}

	@Test
	void groupIsDueAtTheLatestAfterTheLongestDelay() {
		for (String id : List.of("a", "b", "c")) {
			join("g", id);
			pass(9);
		}
		assertThat(this.groups.due(QUEUE, LIMITS.withMaxSize(0), null).groups()).containsExactly("g");
		assertThat(this.groups.due(QUEUE, LIMITS.withMaxSize(0).withMaxDelay(Duration.ZERO), null).groups()).isEmpty();
	}

	@Test
	void groupThatIsLargeEnoughIsDueAtOnceAndItsOldestTasksAreTaken() {
		join("g", "z");
		pass(1);
		join("g", "a", "b", "c");
		join("h", "d");
		assertThat(this.groups.due(QUEUE, LIMITS, null).groups()).containsExactly("g");
		StagedGroup staged = stage("g");
		assertThat(staged.size()).isEqualTo(3);
		assertThat(ids(staged)).containsExactly("z", "a", "b");
		assertThat(ids(this.broker.tasks().listGroup(QUEUE, "g", 0, 10))).containsExactly("c");
		assertThat(this.broker.queues().groupSize(QUEUE, "g")).isEqualTo(1);
		assertThat(this.groups.stage(QUEUE, "g", LIMITS)).as("the rest waits").isNull();
		assertThat(state("z")).contains(TaskState.AGGREGATING);
	}

	@Test
	void tasksOfOneSecondAreReadInOrderOfArrivalAlsoAfterTheyWentBack() {
		arrive("g", "d", "b", "a", "c");
		pass(10);
		StagedGroup staged = stage("g", LIMITS.withMaxSize(0));
		assertThat(ids(staged)).containsExactly("d", "b", "a", "c");
		arrive("g", "e", "0");
		this.groups.giveBack(staged);
		pass(10);
		assertThat(ids(stage("g", LIMITS.withMaxSize(0)))).containsExactly("d", "b", "a", "c", "e", "0");
	}

	@Test
	void tasksOfOneSecondAreDividedInOrderOfArrival() {
		arrive("g", "f", "g", "b", "e", "a", "d", "c");
		List<String> found = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			found.addAll(ids(stage("g")));
			pass(10);
		}
		assertThat(found).containsExactly("f", "g", "b", "e", "a", "d", "c");
	}

	@Test
	void tasksOfOneCallArriveInItsOrder() {
		List<String> ids = IntStream.range(0, 30).mapToObj((i) -> "t" + (i * 7 % 30)).toList();
		this.broker.enqueuer()
			.enqueueAll(ids.stream().map((id) -> request(grouped(id, "g"), new Placement.Grouped())).toList());
		pass(10);
		assertThat(ids(stage("g", LIMITS.withMaxSize(20)))).containsExactlyElementsOf(ids.subList(0, 20));
		assertThat(ids(stage("g", LIMITS.withMaxSize(20)))).containsExactlyElementsOf(ids.subList(20, 30));
	}

	@Test
	void newTaskTakesThePlaceOfTheOthersAndTheirLocks() {
		enqueue(new EnqueueRequest(grouped("a", "g"), new Placement.Grouped(), Duration.ofSeconds(90)));
		join("g", "b");
		pass(10);
		StagedGroup staged = stage("g");
		assertThat(this.groups.begin(staged)).isEqualTo(CrashRecord.CLEAN);
		assertThat(finish(staged, request(message("new").build(), NOW))).isEqualTo(AggregationStatus.ENQUEUED);
		this.groups.end(staged, GroupStore.End.BY_ITSELF);
		assertThat(ids(TaskState.PENDING)).containsExactly("new");
		assertThat(state("a")).isEmpty();
		assertThat(state("b")).isEmpty();
		assertThat(this.broker.queues().groups(QUEUE)).isEmpty();
		assertThat(enqueue(unique(message("c").build(), NOW))).as("the lock is free").isEqualTo(STORED);
		assertThat(counted()).isEqualTo(new Counted(0, 0));
	}

	@Test
	void newTaskMayBeScheduledAndTakeTheLockOfAnOldOne() {
		enqueue(new EnqueueRequest(grouped("a", "g"), new Placement.Grouped(), Duration.ofSeconds(90)));
		pass(10);
		assertThat(finish(stage("g"), unique(message("new").build(), later(60)))).isEqualTo(AggregationStatus.ENQUEUED);
		assertThat(ids(TaskState.SCHEDULED)).containsExactly("new");
		assertThat(enqueue(unique(message("c").build(), NOW))).contains("duplicate");
	}

	@Test
	void taskThatCannotBeStoredChangesNothingAndTheOthersCanGoBack() {
		pending("taken");
		enqueue(unique(message("holder").payload(utf8("x")).build(), NOW));
		join("g", "a", "b");
		pass(10);
		StagedGroup staged = stage("g");
		assertThat(finish(staged, request(message("taken").build(), NOW))).isEqualTo(AggregationStatus.ID_CONFLICT);
		assertThat(finish(staged, unique(message("new").payload(utf8("x")).build(), NOW)))
			.isEqualTo(AggregationStatus.DUPLICATE);
		assertThat(state("new")).isEmpty();
		assertThat(ids(staged)).containsExactly("a", "b");
		this.groups.giveBack(staged);
		assertThat(this.groups.due(QUEUE, LIMITS, null).groups()).containsExactly("g");
		assertThat(ids(this.broker.tasks().listGroup(QUEUE, "g", 0, 10))).containsExactly("a", "b");
		assertThat(this.groups.finish(staged, List.of(), request(message("late").build(), NOW)))
			.isEqualTo(AggregationStatus.EXPIRED);
	}

	@Test
	void setIsFinishedOnce() {
		join("g", "a");
		pass(10);
		StagedGroup staged = stage("g");
		List<TaskMessage> members = this.groups.read(staged);
		assertThat(this.groups.finish(staged, members, request(message("new").build(), NOW)))
			.isEqualTo(AggregationStatus.ENQUEUED);
		assertThat(this.groups.finish(staged, members, request(message("newer").build(), NOW)))
			.isEqualTo(AggregationStatus.EXPIRED);
		this.groups.giveBack(staged);
		assertThat(ids(TaskState.PENDING)).containsExactly("new");
		assertThat(state("a")).isEmpty();
	}

	@Test
	void tasksThatCanNeverBeAggregatedAreArchivedAndCounted() {
		join("g", "a", "b");
		pass(10);
		StagedGroup staged = stage("g");
		this.groups.archive(staged, List.of(this.groups.read(staged).get(0)), "no use");
		TaskInfo archived = info("a");
		assertThat(archived.state()).isEqualTo(TaskState.ARCHIVED);
		assertThat(archived.lastError()).isEqualTo("no use");
		assertThat(archived.lastFailedAt()).isEqualTo(second(0));
		assertThat(ids(staged)).containsExactly("b");
		assertThat(counted()).isEqualTo(new Counted(1, 1));
	}

	@Test
	void newTaskIsTakenLikeAnyOther() {
		join("g", "a");
		pass(10);
		finish(stage("g"), request(message("new").payload(utf8("digest")).build(), NOW));
		LeasedTask taken = take();
		assertThat(taken.message().id()).isEqualTo("new");
		assertThat(text(taken.message().payload())).isEqualTo("digest");
	}

	private void join(String group, String... ids) {
		for (String id : ids) {
			enqueue(request(grouped(id, group), new Placement.Grouped()));
		}
	}

	/** Joins within a second, a moment after each other. */
	private void arrive(String group, String... ids) {
		for (String id : ids) {
			this.clock.advance(Duration.ofMillis(1));
			join(group, id);
		}
	}

	private void pass(long seconds) {
		this.clock.advance(Duration.ofSeconds(seconds));
	}

	private StagedGroup stage(String group) {
		return stage(group, LIMITS);
	}

	private StagedGroup stage(String group, GroupLimits limits) {
		return Objects.requireNonNull(this.groups.stage(QUEUE, group, limits), "not due");
	}

	private List<String> ids(StagedGroup staged) {
		return this.groups.read(staged).stream().map(TaskMessage::id).toList();
	}

	private AggregationStatus finish(StagedGroup staged, EnqueueRequest task) {
		return this.groups.finish(staged, this.groups.read(staged), task);
	}

	private static TaskMessage grouped(String id, String group) {
		return message(id).group(group).build();
	}

}
