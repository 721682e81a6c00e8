package io.asynq.inspect;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.asynq.AsynqException;
import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.QueueNotFoundException;
import io.asynq.TaskNotFoundException;
import io.asynq.TaskState;
import io.asynq.TaskStateException;
import io.asynq.internal.inspect.TaskMove;
import io.asynq.internal.inspect.TaskMove.Result.Status;
import io.asynq.test.FakeBroker;
import io.asynq.test.MutableClock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of how {@link AsynqInspector} changes tasks by hand, on a broker without a store.
 */
class TaskActionsTests {

	private final FakeBroker broker = new FakeBroker();

	private final ScriptedTasks tasks = new ScriptedTasks();

	private final AsynqInspector inspector;

	TaskActionsTests() {
		this.broker.tasks = this.tasks;
		this.inspector = AsynqInspector.create(this.broker, new MutableClock(Instant.parse("2026-01-02T23:59:59Z")));
	}

	@BeforeEach
	void seed() {
		QueueStats.Counters none = new QueueStats.Counters(0, 0);
		this.broker.stats.put("low", new QueueStats(Map.of(), 0, Duration.ZERO, none, none, false));
		this.tasks.results.put("active", new TaskMove.Result(Status.WRONG_STATE, TaskState.ACTIVE));
		this.tasks.results.put("archived", new TaskMove.Result(Status.WRONG_STATE, TaskState.ARCHIVED));
		this.tasks.results.put("pending", new TaskMove.Result(Status.WRONG_STATE, TaskState.PENDING));
		this.tasks.results.put("staged", new TaskMove.Result(Status.MISPLACED, TaskState.AGGREGATING));
		this.tasks.results.put("lost", new TaskMove.Result(Status.MISPLACED, TaskState.RETRY));
		this.tasks.results.put("broken", new TaskMove.Result(Status.BROKEN, null));
		this.tasks.results.put("contended", new TaskMove.Result(Status.CONTENDED, TaskState.SCHEDULED));
		this.tasks.results.put("gone", new TaskMove.Result(Status.NOT_FOUND, null));
	}

	@Test
	void runsArchivesAndDeletesOneTask() {
		this.inspector.runTask("low", "a");
		this.inspector.archiveTask("low", "b");
		this.inspector.deleteTask("low", "c");
		this.inspector.updateTaskPayload("low", "d", new byte[] { 1, 2 });
		assertThat(this.tasks.calls).containsExactly("low RUN [a]", "low ARCHIVE [b]", "low DELETE [c]",
				"low update d 2");
	}

	@Test
	void activeTaskIsNeitherRunNorArchivedNorDeleted() {
		List<Runnable> actions = List.of(() -> this.inspector.runTask("low", "active"),
				() -> this.inspector.archiveTask("low", "active"), () -> this.inspector.deleteTask("low", "active"));
		for (Runnable action : actions) {
			assertThatExceptionOfType(TaskStateException.class).isThrownBy(action::run)
				.withMessageContaining("'active'")
				.withMessageContaining("'low'")
				.withMessageContaining("is active")
				.withMessageContaining("cancelTask")
				.satisfies((ex) -> assertThat(ex.state()).isEqualTo(TaskState.ACTIVE));
		}
	}

	@Test
	void reportsArchivedAndPendingTaskAsSuch() {
		assertThatExceptionOfType(TaskStateException.class)
			.isThrownBy(() -> this.inspector.archiveTask("low", "archived"))
			.withMessage("Task 'archived' of queue 'low' is archived and cannot be archived: it already is");
		assertThatExceptionOfType(TaskStateException.class).isThrownBy(() -> this.inspector.runTask("low", "pending"))
			.withMessage("Task 'pending' of queue 'low' is pending and cannot be run: it already is");
	}

	@Test
	void reportsAggregatingOrMisplacedTask() {
		assertThatExceptionOfType(TaskStateException.class).isThrownBy(() -> this.inspector.deleteTask("low", "staged"))
			.withMessageContaining("'staged'")
			.withMessageContaining("being aggregated")
			.withMessageContaining("lost")
			.withMessageContaining("QueueRepair")
			.satisfies((ex) -> assertThat(ex.state()).isEqualTo(TaskState.AGGREGATING));
	}

	@Test
	void namesWayOutOfInconsistency() {
		assertThatExceptionOfType(BrokerException.class).isThrownBy(() -> this.inspector.runTask("low", "lost"))
			.withMessageContaining("'lost'")
			.withMessageContaining("'retry'")
			.withMessageContaining("repair");
		assertThatExceptionOfType(BrokerException.class).isThrownBy(() -> this.inspector.runTask("low", "broken"))
			.withMessageContaining("'broken'")
			.withMessageContaining("diagnose");
	}

	@Test
	void missingTaskDiffersFromMissingQueue() {
		assertThatExceptionOfType(TaskNotFoundException.class).isThrownBy(() -> this.inspector.runTask("low", "gone"));
		assertThatExceptionOfType(QueueNotFoundException.class)
			.isThrownBy(() -> this.inspector.runTask("high", "gone"));
		assertThatExceptionOfType(TaskNotFoundException.class)
			.isThrownBy(() -> this.inspector.updateTaskPayload("low", "gone", new byte[0]));
		assertThatExceptionOfType(QueueNotFoundException.class)
			.isThrownBy(() -> this.inspector.updateTaskPayload("high", "gone", new byte[0]));
	}

	@Test
	void onlyScheduledTaskGetsNewPayload() {
		assertThatExceptionOfType(TaskStateException.class)
			.isThrownBy(() -> this.inspector.updateTaskPayload("low", "pending", new byte[0]))
			.withMessageContaining("'pending'")
			.withMessageContaining("is pending")
			.withMessageContaining("scheduled");
		assertThatExceptionOfType(BrokerException.class)
			.isThrownBy(() -> this.inspector.updateTaskPayload("low", "contended", new byte[0]))
			.withMessageContaining("try again");
	}

	@Test
	void eachOfManyHasItsOwnResult() {
		List<TaskActionResult> results = this.inspector.archiveTasks("low",
				Arrays.asList("a", "active", " ", "gone", null, "b", "archived"));
		assertThat(results).extracting(TaskActionResult::id)
			.containsExactly("a", "active", " ", "gone", "null", "b", "archived");
		assertThat(results).extracting(TaskActionResult::done)
			.containsExactly(true, false, false, false, false, true, false);
		assertThat(results.get(1).error()).isInstanceOf(TaskStateException.class).hasMessageContaining("active");
		assertThat(results.get(2).error()).hasMessageContaining("blank");
		assertThat(results.get(3).error()).isInstanceOf(TaskNotFoundException.class);
		assertThat(results.get(4).error()).hasMessageContaining("blank");
		assertThat(this.tasks.calls).containsExactly("low ARCHIVE [a, active, gone, b, archived]");
		assertThat(this.inspector.runTasks("low", List.of("a"))).containsExactly(new TaskActionResult("a", null));
		assertThat(this.inspector.deleteTasks("low", List.of("a"))).containsExactly(new TaskActionResult("a", null));
		assertThat(this.inspector.runTasks("low", List.of())).isEmpty();
		assertThatExceptionOfType(QueueNotFoundException.class)
			.isThrownBy(() -> this.inspector.runTasks("high", List.of("a")));
	}

	@Test
	void resultsShowWhatWasDoneBeforeRedisFailed() {
		List<String> ids = IntStream.range(0, 250).mapToObj((i) -> "t" + i).toList();
		this.tasks.callsLeft = 2;
		List<TaskActionResult> results = this.inspector.deleteTasks("low", ids);
		assertThat(results).extracting(TaskActionResult::id).isEqualTo(ids);
		assertThat(results.subList(0, 200)).allMatch(TaskActionResult::done);
		assertThat(results.subList(200, 250)).extracting(TaskActionResult::error)
			.hasOnlyElementsOfType(BrokerUnavailableException.class);
	}

	@Test
	void movesAllOfTheStatesThatGoAllows() {
		assertThat(this.inspector.runAllTasks("low", TaskState.RETRY)).isEqualTo(7);
		assertThat(this.inspector.archiveAllTasks("low", TaskState.PENDING)).isEqualTo(7);
		assertThat(this.inspector.deleteAllTasks("low", TaskState.COMPLETED)).isEqualTo(7);
		assertThat(this.inspector.runAllAggregatingTasks("low", "g")).isEqualTo(8);
		assertThat(this.inspector.archiveAllAggregatingTasks("low", "g")).isEqualTo(8);
		assertThat(this.inspector.deleteAllAggregatingTasks("low", "g")).isEqualTo(8);
		assertThat(this.tasks.calls).containsExactly("low RUN all RETRY", "low ARCHIVE all PENDING",
				"low DELETE all COMPLETED", "low RUN group g", "low ARCHIVE group g", "low DELETE group g");
	}

	@Test
	void rejectsStatesThatCannotBeMovedAsWhole() {
		assertThatExceptionOfType(AsynqException.class)
			.isThrownBy(() -> this.inspector.runAllTasks("low", TaskState.PENDING))
			.withMessageContaining("[scheduled, retry, archived]")
			.withMessageContaining("not from pending");
		assertThatExceptionOfType(AsynqException.class)
			.isThrownBy(() -> this.inspector.archiveAllTasks("low", TaskState.ARCHIVED))
			.withMessageContaining("not from archived");
		assertThatExceptionOfType(AsynqException.class)
			.isThrownBy(() -> this.inspector.deleteAllTasks("low", TaskState.ACTIVE))
			.withMessageContaining("not from active");
		assertThatExceptionOfType(AsynqException.class)
			.isThrownBy(() -> this.inspector.deleteAllTasks("low", TaskState.AGGREGATING))
			.withMessageContaining("group");
		assertThat(this.tasks.calls).isEmpty();
	}

}
