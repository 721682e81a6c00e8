package io.asynq.internal.redis;

import java.time.Duration;
import java.time.LocalDate;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.asynq.CancelMode;
import io.asynq.TaskState;
import io.asynq.inspect.GroupInfo;
import io.asynq.inspect.QueueStats;
import io.asynq.inspect.QueueStats.Counters;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.inspect.TaskMove;
import io.asynq.internal.inspect.TaskMove.Result;
import io.asynq.internal.inspect.TaskMove.Result.Status;
import io.asynq.internal.limit.SemaphoreStore.Token;
import io.asynq.internal.worker.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How tasks and queues are read and changed on request, and how tokens are handed out.
 */
@OnDrivers
class TasksOnRequestContract extends StoresContract {

	TasksOnRequestContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void unknownTaskAndQueueAreNotFound() {
		assertThat(this.broker.tasks().find(QUEUE, "no")).isEmpty();
		assertThat(this.broker.tasks().list("no", TaskState.PENDING, 0, 9)).isEmpty();
		assertThat(this.broker.tasks().listGroup("no", "g", 0, 9)).isEmpty();
		assertThat(this.broker.queues().stats("no")).isEmpty();
		assertThat(this.broker.queues().exists("no")).isFalse();
		assertThat(this.broker.queues().groups("no")).isEmpty();
		assertThat(this.broker.queues().queues()).isEmpty();
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DEFERRED")
	void taskIsFoundInItsState(TaskState state) {
		inState(state, "t1");
		assertThat(info("t1").state()).isEqualTo(state);
		assertThat(info("t1").nextProcessAt()).isEqualTo(switch (state) {
			case PENDING -> this.clock.instant();
			case SCHEDULED, RETRY -> second(60);
			default -> null;
		});
		assertThat(info("t1")).usingRecursiveComparison()
			.isEqualTo(((state == TaskState.AGGREGATING) ? this.broker.tasks().listGroup(QUEUE, "g", 0, 9)
					: this.broker.tasks().list(QUEUE, state, 0, 9))
				.get(0));
	}

	@Test
	void listsArePassedOverAndLimited() {
		pending("t1", "t2", "t3", "t4");
		assertThat(ids(this.broker.tasks().list(QUEUE, TaskState.PENDING, 1, 2))).containsExactly("t2", "t3");
		assertThat(ids(this.broker.tasks().list(QUEUE, TaskState.PENDING, 9, 2))).isEmpty();
	}

	@Test
	void tasksOfTheSameTimeAreListedById() {
		enqueueAll(request(message("b").build(), later(9)), request(message("B").build(), later(9)),
				request(message("é").build(), later(9)), request(message("a").build(), later(9)));
		assertThat(ids(TaskState.SCHEDULED)).containsExactly("B", "a", "b", "é");
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DEFERRED")
	void taskIsRunUnlessItIsActiveOrPending(TaskState state) {
		inState(state, "t1");
		boolean wrong = state == TaskState.ACTIVE || state == TaskState.PENDING;
		assertThat(move(TaskMove.RUN, "t1"))
			.containsExactly(new Result(wrong ? Status.WRONG_STATE : Status.DONE, state));
		assertThat(state("t1")).contains(wrong ? state : TaskState.PENDING);
		assertThat(taken(take(9))).isEqualTo((state == TaskState.ACTIVE) ? List.of() : List.of("t1"));
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DEFERRED")
	void taskIsCancelledUnlessItHasEnded(TaskState state) {
		boolean ended = state == TaskState.ARCHIVED || state == TaskState.COMPLETED;
		for (CancelMode mode : List.of(CancelMode.ARCHIVE, CancelMode.DELETE)) {
			inState(state, mode.name());
			Result result = this.broker.tasks().cancel(QUEUE, mode.name(), mode, false);
			assertThat(result.state()).isEqualTo(state);
			// Recorded where a server may have the task
			assertThat(result.status()).isIn(ended ? List.of(Status.WRONG_STATE)
					: (state == TaskState.ACTIVE) ? List.of(Status.DONE, Status.RECORDED) : List.of(Status.DONE));
		}
		boolean stays = ended || state == TaskState.ACTIVE;
		assertThat(state("ARCHIVE")).contains(stays ? state : TaskState.ARCHIVED);
		assertThat(this.broker.tasks().find(QUEUE, "DELETE").isPresent()).isEqualTo(stays);
		assertThat(this.broker.tasks().cancel(QUEUE, "ARCHIVE", CancelMode.RETRY, true).status())
			.isEqualTo((state == TaskState.ACTIVE) ? Status.DONE : Status.WRONG_STATE);
		assertThat(this.broker.tasks().cancel(QUEUE, "no", CancelMode.DELETE, true).status())
			.isEqualTo(Status.NOT_FOUND);
		assertThat(take(9)).isEmpty();
	}

	@ParameterizedTest
	@EnumSource(names = { "RUN", "RUN_FRESH" })
	void onlyAFreshRunGivesAllRetriesBack(TaskMove move) {
		report(new Outcome.Archive(active(message("t1").retried(25).build()), "at last"));
		assertThat(move(move, "t1")).containsExactly(new Result(Status.DONE, TaskState.ARCHIVED));
		assertThat(info("t1").retried()).isEqualTo((move == TaskMove.RUN) ? 25 : 0);
		assertThat(info("t1").lastError()).isEqualTo("at last");
		assertThat(move(move, "t1")).containsExactly(new Result(Status.WRONG_STATE, TaskState.PENDING));
		assertThat(taken(take(9))).containsExactly("t1");
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DEFERRED")
	void taskIsArchivedUnlessItIsActiveOrArchived(TaskState state) {
		inState(state, "t1");
		boolean wrong = state == TaskState.ACTIVE || state == TaskState.ARCHIVED;
		assertThat(move(TaskMove.ARCHIVE, "t1"))
			.containsExactly(new Result(wrong ? Status.WRONG_STATE : Status.DONE, state));
		assertThat(state("t1")).contains(wrong ? state : TaskState.ARCHIVED);
		assertThat(take(9)).isEmpty();
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DEFERRED")
	void taskIsDeletedUnlessItIsActive(TaskState state) {
		inState(state, "t1");
		boolean wrong = state == TaskState.ACTIVE;
		assertThat(move(TaskMove.DELETE, "t1"))
			.containsExactly(new Result(wrong ? Status.WRONG_STATE : Status.DONE, state));
		assertThat(state("t1").isPresent()).isEqualTo(wrong);
		assertThat(take(9)).isEmpty();
	}

	@Test
	void deletedTaskReleasesItsLock() {
		enqueue(unique(message("t1").build(), later(9)));
		move(TaskMove.DELETE, "t1");
		assertThat(enqueue(unique(message("t2").build(), NOW))).isEqualTo(STORED);
	}

	@Test
	void eachTaskIsMovedByItselfAndOnce() {
		inState(TaskState.SCHEDULED, "b");
		inState(TaskState.SCHEDULED, "a");
		assertThat(move(TaskMove.RUN, "b", "unknown", "b", "a")).extracting(Result::status)
			.containsExactly(Status.DONE, Status.NOT_FOUND, Status.WRONG_STATE, Status.DONE);
		assertThat(ids(TaskState.PENDING)).containsExactly("b", "a");
		assertThat(move(TaskMove.DELETE, "a", "a")).extracting(Result::status)
			.containsExactly(Status.DONE, Status.NOT_FOUND);
	}

	@Test
	void allTasksOfAStateOrGroupAreMovedInTheirOrder() {
		enqueueAll(request(message("s2").build(), later(20)), request(message("s1").build(), later(10)),
				request(message("g1").group("g").build(), new Placement.Grouped()),
				request(message("other").group("h").build(), new Placement.Grouped()));
		assertThat(this.broker.tasks().moveAll(QUEUE, TaskMove.RUN, TaskState.SCHEDULED)).isEqualTo(2);
		assertThat(this.broker.tasks().moveGroup(QUEUE, TaskMove.RUN, "g")).isEqualTo(1);
		assertThat(ids(TaskState.PENDING)).containsExactly("s1", "s2", "g1");
		assertThat(this.broker.queues().groups(QUEUE)).containsExactly(new GroupInfo("h", 1));
		assertThat(this.broker.tasks().moveAll(QUEUE, TaskMove.DELETE, TaskState.PENDING)).isEqualTo(3);
		assertThat(this.broker.tasks().moveAll(QUEUE, TaskMove.ARCHIVE, TaskState.RETRY)).isZero();
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DEFERRED")
	void onlyScheduledTaskGetsAnotherPayload(TaskState state) {
		inState(state, "t1");
		boolean scheduled = state == TaskState.SCHEDULED;
		assertThat(this.broker.tasks().updatePayload(QUEUE, "t1", utf8("new")))
			.isEqualTo(new Result(scheduled ? Status.DONE : Status.WRONG_STATE, state));
		assertThat(text(info("t1").payload())).isEqualTo(scheduled ? "new" : "{\"user_id\":42}");
		assertThat(this.broker.tasks().updatePayload(QUEUE, "no", utf8("new")).status()).isEqualTo(Status.NOT_FOUND);
	}

	@Test
	void statisticsHaveSizesLatencyAndCounters() {
		report(new Outcome.Done(active(message("done").build())));
		this.clock.advance(Duration.ofDays(1));
		for (TaskState state : TaskState.stored()) {
			inState(state, "t-" + state);
			if (state == TaskState.PENDING) {
				take();
			}
		}
		pending("p1");
		this.clock.advance(Duration.ofSeconds(3));
		pending("p2");
		Map<TaskState, Long> sizes = new EnumMap<>(
				Map.of(TaskState.ACTIVE, 2L, TaskState.PENDING, 2L, TaskState.SCHEDULED, 1L, TaskState.RETRY, 1L,
						TaskState.ARCHIVED, 1L, TaskState.COMPLETED, 1L, TaskState.AGGREGATING, 1L));
		assertThat(this.broker.queues().stats(QUEUE))
			.contains(new QueueStats(sizes, 1, Duration.ofSeconds(3), new Counters(3, 2), new Counters(4, 2), false));
		assertThat(this.broker.queues().history(QUEUE, LocalDate.of(2096, 3, 5), 3))
			.extracting((day) -> day.processed() + "/" + day.failed())
			.containsExactly("3/2", "1/0", "0/0");
	}

	@Test
	void manyQueuesAreReadTogether() {
		pending("t1", "t2");
		enqueue(request(message("t3").build().at("other", "t3"), NOW));
		assertThat(this.broker.manyQueues().names()).containsExactlyInAnyOrder(QUEUE, "other");
		Map<String, QueueStats> stats = this.broker.manyQueues().stats(List.of(QUEUE, "other", "none")).values();
		assertThat(stats.get(QUEUE)).isEqualTo(this.broker.queues().stats(QUEUE).orElseThrow());
		assertThat(stats.get("other").sizes()).containsEntry(TaskState.PENDING, 1L);
		assertThat(stats.get("none").sizes()).containsOnlyKeys(TaskState.stored()).doesNotContainValue(1L);
	}

	@Test
	void queueIsPausedAndResumedOnce() {
		assertThat(this.broker.queueKeeper().resume(QUEUE)).isFalse();
		assertThat(this.broker.queueKeeper().pause(QUEUE)).isTrue();
		assertThat(this.broker.queueKeeper().pause(QUEUE)).isFalse();
		pending("t1");
		assertThat(this.broker.queues().stats(QUEUE).orElseThrow().paused()).isTrue();
		assertThat(this.broker.queueKeeper().resume(QUEUE)).isTrue();
		assertThat(this.broker.queues().stats(QUEUE).orElseThrow().paused()).isFalse();
	}

	@Test
	void tokensAreLimitedAndReleasedByTheirHolder() {
		assertThat(acquire("api", token("t1", "a"))).isTrue();
		assertThat(acquire("api", token("t2", "b"))).as("one token only").isFalse();
		assertThat(acquire("mail", token("t2", "b"))).as("another scope").isTrue();
		assertThat(acquire("api", token("t1", "c"))).as("by the holder, for its next attempt").isTrue();
		assertThat(this.broker.semaphores().release("api", token("t1", "a"))).as("by an earlier attempt").isFalse();
		assertThat(this.broker.semaphores().release("api", token("t2", "b"))).isFalse();
		assertThat(this.broker.semaphores().release("api", token("t1", "c"))).isTrue();
		assertThat(this.broker.semaphores().release("api", token("t1", "c"))).isFalse();
		assertThat(acquire("api", token("t2", "b"))).isTrue();
	}

	@Test
	void tokenEndsASecondAfterItsTime() {
		acquire("api", token("t1", "a"));
		// Now is 123 ms after a whole second, so it ends 61 s after that
		this.clock.advance(Duration.ofSeconds(61));
		assertThat(acquire("api", token("t2", "b"))).isFalse();
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(acquire("api", token("t2", "b"))).isTrue();
	}

	private boolean acquire(String scope, Token token) {
		return this.broker.semaphores().acquire(scope, 1, token);
	}

	private static Token token(String task, String attempt) {
		return new Token(task, attempt, Duration.ofSeconds(60));
	}

	private List<Result> move(TaskMove move, String... ids) {
		return this.broker.tasks().move(QUEUE, move, List.of(ids));
	}

}
