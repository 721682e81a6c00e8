package io.asynq.internal.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.asynq.DuplicateTaskException;
import io.asynq.TaskIdConflictException;
import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.worker.Dequeued;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.Outcome;
import io.asynq.internal.worker.TaskUpkeep.Forwarded;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How tasks are stored, become due, and are taken.
 */
@OnDrivers
class EnqueuedTasksContract extends StoresContract {

	EnqueuedTasksContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void tasksAreTakenInTheOrderInWhichTheyWereStored() {
		pending("t1", "t2");
		enqueueAll(request(message("t3").build(), NOW), request(message("t4").build(), NOW));
		assertThat(ids(TaskState.PENDING)).containsExactly("t1", "t2", "t3", "t4");
		assertThat(taken(take(3))).containsExactly("t1", "t2", "t3");
		assertThat(ids(TaskState.PENDING)).containsExactly("t4");
		assertThat(ids(TaskState.ACTIVE)).containsExactly("t1", "t2", "t3");
	}

	@Test
	void takenTaskIsTheOneThatWasStored() {
		TaskMessage stored = message("t1").deadlineSeconds(4_000_000_000L)
			.retentionSeconds(60)
			.headers(Map.of("tenant", "acme"))
			.build();
		LeasedTask taken = active(stored);
		assertThat(taken.message()).usingRecursiveComparison().isEqualTo(stored);
		assertThat(taken.lease().taskId()).isEqualTo("t1");
		assertThat(taken.lease().queue()).isEqualTo(QUEUE);
		assertThat(taken.lease().isValidAt(System.nanoTime())).isTrue();
		assertThat(taken.record().suspect()).isFalse();
	}

	@Test
	void noPayloadIsReadLikeAnEmptyOneButLocksAnother() {
		assertThat(active(message("none").payload(null).build()).message().payload()).isNull();
		assertThat(active(message("empty").payload(new byte[0]).build()).message().payload()).isNull();
		TaskMessage without = message("t1").payload(null).build();
		assertThat(enqueue(unique(without, NOW))).isEqualTo(STORED);
		assertThat(enqueue(unique(message("t2").payload(new byte[0]).build(), NOW))).isEqualTo(STORED);
		assertThat(enqueue(unique(message("t3").payload(null).build(), NOW))).contains("duplicate");
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DEFERRED")
	void idIsTakenAsLongAsItsTaskExists(TaskState state) {
		inState(state, "t1");
		assertThatExceptionOfType(TaskIdConflictException.class)
			.isThrownBy(() -> this.broker.enqueuer().enqueue(request(message("t1").build(), NOW)))
			.withMessageContaining("Task t1 (email:send) in queue default");
		assertThat(enqueueAll(request(message("t1").build(), later(9)))).singleElement().asString().contains("t1");
		assertThat(state("t1")).contains(state);
	}

	@Test
	void idInAnotherQueueIsAnotherTask() {
		pending("t1");
		assertThat(enqueue(request(message("t1").build().at("other", "t1"), NOW))).isEqualTo(STORED);
		assertThat(this.broker.queues().queues()).containsExactly(QUEUE, "other");
	}

	@Test
	void uniqueTaskRefusesAnotherOfItsTypeAndPayload() {
		assertThat(enqueue(unique(message("t1").build(), NOW))).isEqualTo(STORED);
		assertThatExceptionOfType(DuplicateTaskException.class)
			.isThrownBy(() -> this.broker.enqueuer().enqueue(unique(message("t2").build(), later(9))));
		assertThat(enqueue(unique(message("t3").payload(utf8("other")).build(), NOW))).isEqualTo(STORED);
		assertThat(enqueue(request(message("t4").build(), NOW))).as("without a lock of its own").isEqualTo(STORED);
		assertThat(ids(TaskState.PENDING)).containsExactly("t1", "t3", "t4");
		assertThat(ids(TaskState.SCHEDULED)).isEmpty();
	}

	@Test
	void duplicateTakesPrecedenceOverIdConflict() {
		enqueue(unique(message("t1").build(), NOW));
		assertThat(enqueue(unique(message("t1").build(), NOW))).contains("duplicate");
	}

	@Test
	void lockWithAKeyOfItsOwnLeavesThePayloadAside() {
		assertThat(enqueue(byKey("t1", "a"))).isEqualTo(STORED);
		assertThat(enqueue(byKey("t2", "a"))).contains("the same type and unique key");
		assertThat(enqueue(byKey("t3", "b"))).isEqualTo(STORED);
		assertThat(enqueue(unique(message("t4").build(), NOW))).isEqualTo(STORED);
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DEFERRED")
	void onlyArchivedTaskIsReplaced(TaskState state) {
		inState(state, "t1");
		String answer = enqueue(new EnqueueRequest(message("t1").payload(utf8("new")).build(), NOW, null, null, true));
		boolean replaced = state == TaskState.ARCHIVED;
		assertThat(answer.equals(STORED)).isEqualTo(replaced);
		assertThat(state("t1")).contains(replaced ? TaskState.PENDING : state);
		assertThat(text(info("t1").payload())).isEqualTo(replaced ? "new" : "{\"user_id\":42}");
	}

	@Test
	void lockOfAReplacedTaskPassesToTheNewOneButNotThatOfAnother() {
		report(new Outcome.Archive(activeUnique("t1"), "x"));
		assertThat(enqueue(replacing("t2"))).contains("duplicate");
		assertThat(enqueue(replacing("t1"))).isEqualTo(STORED);
		assertThat(enqueue(unique(message("t3").build(), NOW))).contains("duplicate");
		report(new Outcome.Done(take()));
		assertThat(enqueue(unique(message("t3").build(), NOW))).isEqualTo(STORED);
	}

	@Test
	void idConflictLeavesNoLock() {
		pending("t1");
		assertThat(enqueue(unique(message("t1").build(), NOW))).contains("conflicts");
		assertThat(enqueueAll(unique(message("t1").build(), NOW))).singleElement().asString().contains("conflicts");
		assertThat(enqueue(unique(message("t2").build(), NOW))).isEqualTo(STORED);
	}

	@Test
	void lockIsHeldUntilItsTaskIsDone() {
		LeasedTask first = activeUnique("t1");
		assertThat(enqueue(unique(message("no").build(), NOW))).contains("duplicate");
		report(new Outcome.Done(first));
		LeasedTask second = activeUnique("t2");
		report(new Outcome.Completed(second, null));
		LeasedTask third = activeUnique("t3");
		report(new Outcome.Retry(third, "x", due(9), true));
		assertThat(enqueue(unique(message("no").build(), NOW))).contains("duplicate");
		this.clock.advance(Duration.ofSeconds(10));
		forward();
		report(new Outcome.Archive(take(), "x"));
		assertThat(enqueue(unique(message("no").build(), NOW))).contains("duplicate");
	}

	@Test
	void eachTaskOfBatchIsTreatedByItself() {
		pending("taken");
		List<String> answers = enqueueAll(request(message("a").build(), NOW), request(message("taken").build(), NOW),
				unique(message("b").build(), NOW), unique(message("c").build(), NOW),
				request(message("a").build(), NOW), request(message("d").build(), later(9)));
		assertThat(answers).extracting((answer) -> answer.replaceAll(".*(duplicate|conflicts).*", "$1"))
			.containsExactly(STORED, "conflicts", STORED, "duplicate", "conflicts", STORED);
		assertThat(ids(TaskState.PENDING)).containsExactly("taken", "a", "b");
		assertThat(ids(TaskState.SCHEDULED)).containsExactly("d");
	}

	@Test
	void takesNothingFromPausedQueue() {
		pending("t1");
		this.broker.queueKeeper().pause(QUEUE);
		Dequeued none = this.broker.dequeuer().dequeue(QUEUE, 5);
		assertThat(none.tasks()).isEmpty();
		assertThat(none.exhausted()).isTrue();
		this.broker.queueKeeper().resume(QUEUE);
		assertThat(taken(take(5))).containsExactly("t1");
	}

	@Test
	void tellsWhetherMoreTasksWait() {
		assertThat(this.broker.dequeuer().dequeue(QUEUE, 5)).isEqualTo(new Dequeued(List.of(), true));
		pending("t1", "t2", "t3");
		assertThat(this.broker.dequeuer().dequeue(QUEUE, 2).exhausted()).isFalse();
		assertThat(this.broker.dequeuer().dequeue(QUEUE, 1).exhausted()).isFalse();
		pending("t4");
		assertThat(this.broker.dequeuer().dequeue(QUEUE, 2).exhausted()).isTrue();
	}

	@Test
	void takesSixtyFourTasksAndFourMebibytesAtMost() {
		for (int i = 0; i < 70; i++) {
			pending("t" + i);
		}
		assertThat(take(1000)).hasSize(64);
		assertThat(take(1000)).hasSize(6);
		byte[] big = new byte[3 * 1024 * 1024];
		enqueueAll(request(message("a").payload(big).build(), NOW), request(message("b").payload(big).build(), NOW));
		Dequeued first = this.broker.dequeuer().dequeue(QUEUE, 10);
		assertThat(taken(first.tasks())).containsExactly("a");
		assertThat(first.exhausted()).isFalse();
		assertThat(taken(take(10))).containsExactly("b");
	}

	@Test
	void tellsHowLongTheFirstTaskHasWaited() {
		pending("t1");
		this.clock.advance(Duration.ofSeconds(2));
		pending("t2");
		this.clock.advance(Duration.ofSeconds(3));
		assertThat(this.broker.dequeuer().dequeue(QUEUE, 2).waited()).isCloseTo(Duration.ofSeconds(5),
				Duration.ofNanos(2000));
		assertThat(this.broker.dequeuer().dequeue(QUEUE, 2).waited()).isNull();
	}

	@Test
	void delayedTasksBecomePendingWhenTheyAreDueEarliestFirst() {
		pending("p1");
		enqueueAll(request(message("s3").build(), later(30)), request(message("s2").build(), later(20)),
				request(message("s1").build(), later(10)));
		assertThat(forward()).isEqualTo(new Forwarded(0, false, second(10), this.clock.instant()));
		assertThat(ids(TaskState.SCHEDULED)).containsExactly("s1", "s2", "s3");
		this.clock.advance(Duration.ofSeconds(20));
		assertThat(forward()).isEqualTo(new Forwarded(2, false, second(10), this.clock.instant()));
		assertThat(ids(TaskState.PENDING)).containsExactly("p1", "s1", "s2");
		assertThat(ids(TaskState.SCHEDULED)).containsExactly("s3");
		assertThat(this.broker.upkeep().forward("unknown"))
			.isEqualTo(new Forwarded(0, false, null, this.clock.instant()));
	}

	@Test
	void timesAreCutToWholeSeconds() {
		Instant due = second(10).plusMillis(900);
		enqueue(request(message("t1").build(), new Placement.Scheduled(due)));
		assertThat(info("t1").nextProcessAt()).isEqualTo(second(10));
		this.clock.set(second(10));
		assertThat(forward().moved()).isEqualTo(1);
	}

	@Test
	void forwardsHundredOfEachPerCall() {
		this.broker.enqueuer()
			.enqueueAll(IntStream.range(0, 150).mapToObj((i) -> request(message("s" + i).build(), later(1))).toList());
		this.clock.advance(Duration.ofSeconds(2));
		assertThat(forward()).isEqualTo(new Forwarded(100, true, second(-1), this.clock.instant()));
		assertThat(forward()).isEqualTo(new Forwarded(50, false, null, this.clock.instant()));
	}

	@Test
	void groupedTaskWaitsInItsGroup() {
		enqueue(request(message("t1").group("mails").build(), new Placement.Grouped()));
		assertThat(this.broker.tasks().listGroup(QUEUE, "mails", 0, 9)).singleElement()
			.extracting(TaskInfo::id, TaskInfo::state, TaskInfo::group)
			.containsExactly("t1", TaskState.AGGREGATING, "mails");
		assertThat(this.broker.queues().groupSize(QUEUE, "mails")).isEqualTo(1);
		assertThat(take(1)).isEmpty();
	}

	@Test
	void delayedGroupedTaskJoinsItsGroupWhenItIsDue() {
		enqueue(request(message("t1").group("mails").build(), later(10)));
		assertThat(state("t1")).contains(TaskState.SCHEDULED);
		this.clock.advance(Duration.ofSeconds(10));
		assertThat(forward().moved()).isEqualTo(1);
		assertThat(ids(this.broker.tasks().listGroup(QUEUE, "mails", 0, 9))).containsExactly("t1");
		assertThat(ids(TaskState.PENDING)).isEmpty();
	}

	private static EnqueueRequest byKey(String id, String key) {
		return new EnqueueRequest(message(id).build(), NOW, Duration.ofSeconds(90), key, false);
	}

	private static EnqueueRequest replacing(String id) {
		return new EnqueueRequest(message(id).build(), NOW, Duration.ofSeconds(90), null, true);
	}

	private LeasedTask activeUnique(String id) {
		assertThat(enqueue(unique(message(id).retentionSeconds(60).build(), NOW))).isEqualTo(STORED);
		return take();
	}

	private Forwarded forward() {
		return this.broker.upkeep().forward(QUEUE);
	}

}
