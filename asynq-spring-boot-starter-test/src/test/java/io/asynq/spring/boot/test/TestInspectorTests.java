package io.asynq.spring.boot.test;

import java.time.Clock;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

import io.asynq.AsynqClient;
import io.asynq.AsynqException;
import io.asynq.CancelMode;
import io.asynq.ClientOptions;
import io.asynq.DuplicateTaskException;
import io.asynq.QueueNotFoundException;
import io.asynq.QueueStateException;
import io.asynq.TaskIdConflictException;
import io.asynq.TaskNotFoundException;
import io.asynq.TaskState;
import io.asynq.TaskStateException;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.Page;
import io.asynq.inspect.RunOptions;
import io.asynq.inspect.TaskActionResult;
import io.asynq.internal.worker.Due;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How recorded tasks are stored, shown and changed: as those in Redis.
 */
class TestInspectorTests {

	private static final Set<TaskState> ENDED = EnumSet.of(TaskState.ARCHIVED, TaskState.COMPLETED);

	private final TestClock clock = new TestClock(Clock.systemUTC());

	private final RecordedTasks tasks = new RecordedTasks(this.clock, (stored) -> {
	});

	private final AsynqClient client = AsynqClient.create(new TestBroker(this.clock, this.tasks),
			ClientOptions.builder().clock(this.clock).build());

	private final AsynqInspector inspector = new TestInspector(this.tasks, this.clock);

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DEFERRED")
	void taskIsShownInItsStateAndItsIdIsTaken(TaskState state) {
		inState(state, "t1");
		assertThat(this.inspector.taskInfo("default", "t1").state()).isEqualTo(state);
		assertThat(this.inspector.queueInfo("default").size(state)).isEqualTo(1);
		assertThat((state == TaskState.AGGREGATING) ? this.inspector.listAggregatingTasks("default", "g", Page.first())
				: this.inspector.listTasks("default", state, Page.first()))
			.hasSize(1);
		assertThatExceptionOfType(TaskIdConflictException.class)
			.isThrownBy(() -> this.client.enqueue("other", (o) -> o.taskId("t1")));
		if (state == TaskState.ARCHIVED) {
			this.client.enqueue("other", (o) -> o.taskId("t1").replaceArchived(true));
			assertThat(this.inspector.taskInfo("default", "t1").state()).isEqualTo(TaskState.PENDING);
		}
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DEFERRED")
	void changesByHandAreRefusedInTheStatesInWhichRedisRefusesThem(TaskState state) {
		Map<BiConsumer<String, String>, Set<TaskState>> refused = Map.of(this.inspector::runTask,
				EnumSet.of(TaskState.ACTIVE, TaskState.PENDING), this.inspector::archiveTask,
				EnumSet.of(TaskState.ACTIVE, TaskState.ARCHIVED), this.inspector::deleteTask,
				EnumSet.of(TaskState.ACTIVE),
				(queue, id) -> this.inspector.updateTaskPayload(queue, id, new byte[] { 'x' }),
				EnumSet.complementOf(EnumSet.of(TaskState.SCHEDULED)));
		refused.forEach((change, states) -> {
			this.tasks.clear();
			inState(state, "t1");
			if (states.contains(state)) {
				assertThatExceptionOfType(TaskStateException.class).isThrownBy(() -> change.accept("default", "t1"));
				assertThat(this.inspector.taskInfo("default", "t1").state()).isEqualTo(state);
			}
			else {
				change.accept("default", "t1");
			}
			assertThatExceptionOfType(TaskNotFoundException.class).isThrownBy(() -> change.accept("default", "no"));
			assertThatExceptionOfType(QueueNotFoundException.class).isThrownBy(() -> change.accept("no", "t1"));
		});
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = { "DEFERRED", "ACTIVE" })
	void waitingTaskIsCancelled(TaskState state) {
		inState(state, "t1");
		inState(state, "t2");
		if (ENDED.contains(state)) {
			assertThatExceptionOfType(TaskStateException.class)
				.isThrownBy(() -> this.inspector.cancelTask("default", "t1", CancelMode.DELETE));
			return;
		}
		this.inspector.cancelTask("default", "t1", CancelMode.ARCHIVE);
		assertThat(this.inspector.taskInfo("default", "t1").state()).isEqualTo(TaskState.ARCHIVED);
		this.inspector.cancelTask("default", "t2", CancelMode.DELETE);
		assertThatExceptionOfType(TaskNotFoundException.class)
			.isThrownBy(() -> this.inspector.taskInfo("default", "t2"));
	}

	@Test
	void allTasksOfAStateOrGroupAreChangedAndEachByItself() {
		inState(TaskState.ARCHIVED, "a1");
		inState(TaskState.ARCHIVED, "a2");
		assertThat(this.inspector.runTasks("default", List.of("a1", "no", "a1"))).extracting(TaskActionResult::done)
			.containsExactly(true, false, false);
		assertThat(this.inspector.runAllTasks("default", TaskState.ARCHIVED, RunOptions.freshRetries())).isEqualTo(1);
		assertThat(this.inspector.archiveAllTasks("default", TaskState.PENDING)).isEqualTo(2);
		assertThat(this.inspector.deleteAllTasks("default", TaskState.ARCHIVED)).isEqualTo(2);
		assertThatExceptionOfType(AsynqException.class)
			.isThrownBy(() -> this.inspector.runAllTasks("default", TaskState.COMPLETED));
		inState(TaskState.AGGREGATING, "g1");
		inState(TaskState.AGGREGATING, "g2");
		assertThat(this.inspector.groupInfo("default", "g").size()).isEqualTo(2);
		assertThat(this.inspector.runAllAggregatingTasks("default", "g")).isEqualTo(2);
		assertThat(this.inspector.queueInfo("default").size(TaskState.PENDING)).isEqualTo(2);
	}

	@Test
	void onlyAFreshRunGivesAllRetriesBack() {
		inState(TaskState.RETRY, "t1");
		this.inspector.runTask("default", "t1");
		assertThat(this.inspector.taskInfo("default", "t1").retried()).isEqualTo(1);
		this.inspector.archiveTask("default", "t1");
		this.inspector.runTask("default", "t1", RunOptions.freshRetries());
		assertThat(this.inspector.taskInfo("default", "t1").retried()).isZero();
	}

	@Test
	void lockIsHeldUntilItsTaskIsDoneOrDeleted() {
		unique("t1");
		assertThatExceptionOfType(DuplicateTaskException.class).isThrownBy(() -> unique("t2"));
		LeasedTask attempt = this.tasks.take("default");
		this.tasks.end(new Outcome.Archive(attempt, "x"));
		assertThatExceptionOfType(DuplicateTaskException.class).isThrownBy(() -> unique("t2"));
		this.inspector.deleteTask("default", "t1");
		unique("t2");
		this.tasks.end(new Outcome.Done(this.tasks.take("default")));
		unique("t3");
	}

	@Test
	void countersAndHistoryAreThoseOfTheDay() {
		inState(TaskState.RETRY, "t1");
		inState(TaskState.COMPLETED, "t2");
		assertThat(this.inspector.queueInfo("default").processed()).isEqualTo(2);
		assertThat(this.inspector.queueInfo("default").failed()).isEqualTo(1);
		this.clock.moveTo(this.clock.instant().plus(Duration.ofDays(1)));
		inState(TaskState.ARCHIVED, "t3");
		assertThat(this.inspector.history("default", 3)).extracting((day) -> day.processed() + "/" + day.failed())
			.containsExactly("1/1", "2/1", "0/0");
	}

	@Test
	void archiveForgetsTasksAfterNinetyDays() {
		inState(TaskState.ARCHIVED, "old");
		this.clock.moveTo(this.clock.instant().plus(Duration.ofDays(90)));
		inState(TaskState.ARCHIVED, "new");
		assertThat(this.inspector.listTasks("default", TaskState.ARCHIVED, Page.first()))
			.extracting((task) -> task.id())
			.containsExactly("new");
	}

	@Test
	void retriedTaskOfAGroupGoesBackToItAndADelayedOneJoinsItWhenItIsDue() {
		inState(TaskState.AGGREGATING, "t1");
		this.inspector.runTask("default", "t1");
		this.tasks.end(new Outcome.Retry(this.tasks.take("default"), "x", due(), true));
		this.client.enqueue("mail", (o) -> o.taskId("t2").group("g").processIn(Duration.ofMinutes(1)));
		assertThat(this.inspector.groups("default")).isEmpty();
		this.clock.moveTo(this.clock.instant().plus(Duration.ofMinutes(2)));
		this.tasks.settle();
		assertThat(this.inspector.groupInfo("default", "g").size()).isEqualTo(2);
	}

	@Test
	void queueIsPausedAndResumedOnce() {
		this.inspector.pauseQueue("default");
		inState(TaskState.PENDING, "t1");
		assertThat(this.inspector.queueInfo("default").paused()).isTrue();
		assertThat(this.tasks.take("default")).isNull();
		assertThatExceptionOfType(QueueStateException.class).isThrownBy(() -> this.inspector.pauseQueue("default"));
		this.inspector.resumeQueue("default");
		assertThatExceptionOfType(QueueStateException.class).isThrownBy(() -> this.inspector.resumeQueue("default"));
		assertThat(this.tasks.take("default")).isNotNull();
	}

	@Test
	void endedAttemptCannotEndALaterOne() {
		inState(TaskState.PENDING, "t1");
		LeasedTask earlier = this.tasks.take("default");
		this.tasks.end(new Outcome.Requeue(earlier));
		LeasedTask later = this.tasks.take("default");
		assertThat(this.tasks.end(new Outcome.Done(earlier))).isNull();
		assertThat(this.tasks.writeResult(earlier.lease(), new byte[1])).isFalse();
		assertThat(this.tasks.writeResult(later.lease(), new byte[1])).isTrue();
		assertThat(this.tasks.end(new Outcome.Done(later))).isNotNull();
	}

	/** Tasks of other states must not be pending. */
	private void inState(TaskState state, String id) {
		this.client.enqueue("mail", (o) -> {
			o.taskId(id).retention(Duration.ofDays(1));
			if (state == TaskState.SCHEDULED) {
				o.processIn(Duration.ofMinutes(1));
			}
			if (state == TaskState.AGGREGATING) {
				o.group("g");
			}
		});
		switch (state) {
			case ACTIVE -> this.tasks.take("default");
			case RETRY -> this.tasks.end(new Outcome.Retry(this.tasks.take("default"), "failed", due(), true));
			case ARCHIVED -> this.tasks.end(new Outcome.Archive(this.tasks.take("default"), "failed"));
			case COMPLETED -> this.tasks.end(new Outcome.Completed(this.tasks.take("default"), null));
			default -> {
			}
		}
	}

	private Due due() {
		return Due.in(Duration.ofMinutes(1));
	}

	private void unique(String id) {
		this.client.enqueue("locked", (o) -> o.taskId(id).unique(Duration.ofHours(1)));
	}

}
