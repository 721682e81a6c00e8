package io.asynq.inspect;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.asynq.AsynqException;
import io.asynq.BrokerException;
import io.asynq.QueueNotEmptyException;
import io.asynq.QueueNotFoundException;
import io.asynq.QueueStateException;
import io.asynq.TaskInfo;
import io.asynq.TaskNotFoundException;
import io.asynq.TaskState;
import io.asynq.TaskStateException;
import io.asynq.broker.DailyStats;
import io.asynq.broker.QueueKeeper;
import io.asynq.broker.QueueStats;
import io.asynq.broker.TaskLister;
import io.asynq.broker.TaskMove;
import io.asynq.broker.TaskMoveResult;
import io.asynq.broker.TaskMoveResult.Status;
import io.asynq.broker.TaskMover;
import io.asynq.test.FakeBroker;
import io.asynq.test.MutableClock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of what {@link AsynqInspector} says of changes by hand, on a broker without a
 * store.
 */
class TaskActionsTests {

	private static final Page FIRST = Page.first();

	private final FakeBroker broker = new FakeBroker();

	private final ScriptedMover mover = new ScriptedMover();

	private final ScriptedKeeper keeper = new ScriptedKeeper();

	private final AsynqInspector inspector;

	TaskActionsTests() {
		this.broker.mover = this.mover;
		this.broker.queueKeeper = this.keeper;
		this.inspector = AsynqInspector.create(this.broker, new MutableClock(Instant.parse("2026-01-02T23:59:59Z")));
	}

	@BeforeEach
	void seed() {
		QueueStats.Counters none = new QueueStats.Counters(0, 0);
		this.broker.stats.put("low", new QueueStats(Map.of(), 0, Duration.ZERO, none, none, false));
		this.mover.results.put("active", new TaskMoveResult(Status.WRONG_STATE, TaskState.ACTIVE));
		this.mover.results.put("archived", new TaskMoveResult(Status.WRONG_STATE, TaskState.ARCHIVED));
		this.mover.results.put("pending", new TaskMoveResult(Status.WRONG_STATE, TaskState.PENDING));
		this.mover.results.put("staged", new TaskMoveResult(Status.MISPLACED, TaskState.AGGREGATING));
		this.mover.results.put("lost", new TaskMoveResult(Status.MISPLACED, TaskState.RETRY));
		this.mover.results.put("broken", new TaskMoveResult(Status.BROKEN, null));
		this.mover.results.put("contended", new TaskMoveResult(Status.CONTENDED, TaskState.SCHEDULED));
		this.mover.results.put("gone", new TaskMoveResult(Status.NOT_FOUND, null));
	}

	@Test
	void runsArchivesAndDeletesOneTask() {
		this.inspector.runTask("low", "a");
		this.inspector.archiveTask("low", "b");
		this.inspector.deleteTask("low", "c");
		this.inspector.updateTaskPayload("low", "d", new byte[] { 1, 2 });
		assertThat(this.mover.calls).containsExactly("low RUN [a]", "low ARCHIVE [b]", "low DELETE [c]",
				"low update d 2");
	}

	@Test
	void anActiveTaskIsNeitherRunNorArchivedNorDeleted() {
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
	void saysThatAnArchivedTaskIsArchivedAndAPendingOnePending() {
		assertThatExceptionOfType(TaskStateException.class)
			.isThrownBy(() -> this.inspector.archiveTask("low", "archived"))
			.withMessage("Task 'archived' of queue 'low' is archived and cannot be archived: it is so already");
		assertThatExceptionOfType(TaskStateException.class).isThrownBy(() -> this.inspector.runTask("low", "pending"))
			.withMessage("Task 'pending' of queue 'low' is pending and cannot be run: it is so already");
	}

	@Test
	void saysThatATaskIsBeingAggregated() {
		assertThatExceptionOfType(TaskStateException.class).isThrownBy(() -> this.inspector.deleteTask("low", "staged"))
			.withMessageContaining("'staged'")
			.withMessageContaining("being aggregated")
			.satisfies((ex) -> assertThat(ex.state()).isEqualTo(TaskState.AGGREGATING));
	}

	@Test
	void namesTheWayOutOfWhatMakesNoSense() {
		assertThatExceptionOfType(BrokerException.class).isThrownBy(() -> this.inspector.runTask("low", "lost"))
			.withMessageContaining("'lost'")
			.withMessageContaining("'retry'")
			.withMessageContaining("repair");
		assertThatExceptionOfType(BrokerException.class).isThrownBy(() -> this.inspector.runTask("low", "broken"))
			.withMessageContaining("'broken'")
			.withMessageContaining("diagnose");
	}

	@Test
	void tellsAMissingTaskFromAMissingQueue() {
		assertThatExceptionOfType(TaskNotFoundException.class).isThrownBy(() -> this.inspector.runTask("low", "gone"));
		assertThatExceptionOfType(QueueNotFoundException.class)
			.isThrownBy(() -> this.inspector.runTask("high", "gone"));
		assertThatExceptionOfType(TaskNotFoundException.class)
			.isThrownBy(() -> this.inspector.updateTaskPayload("low", "gone", new byte[0]));
		assertThatExceptionOfType(QueueNotFoundException.class)
			.isThrownBy(() -> this.inspector.updateTaskPayload("high", "gone", new byte[0]));
	}

	@Test
	void onlyAScheduledTaskGetsANewPayload() {
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
	void eachOfManyHasAResultOfItsOwn() {
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
		assertThat(this.mover.calls).containsExactly("low ARCHIVE [a, active, gone, b, archived]");
		assertThat(this.inspector.runTasks("low", List.of("a"))).containsExactly(new TaskActionResult("a", null));
		assertThat(this.inspector.deleteTasks("low", List.of("a"))).containsExactly(new TaskActionResult("a", null));
		assertThat(this.inspector.runTasks("low", List.of())).isEmpty();
		assertThatExceptionOfType(QueueNotFoundException.class)
			.isThrownBy(() -> this.inspector.runTasks("high", List.of("a")));
	}

	@Test
	void allOfAStateAreMovedFromWhereGoMovesThem() {
		assertThat(this.inspector.runAllTasks("low", TaskState.RETRY)).isEqualTo(7);
		assertThat(this.inspector.archiveAllTasks("low", TaskState.PENDING)).isEqualTo(7);
		assertThat(this.inspector.deleteAllTasks("low", TaskState.COMPLETED)).isEqualTo(7);
		assertThat(this.inspector.runAllAggregatingTasks("low", "g")).isEqualTo(8);
		assertThat(this.inspector.archiveAllAggregatingTasks("low", "g")).isEqualTo(8);
		assertThat(this.inspector.deleteAllAggregatingTasks("low", "g")).isEqualTo(8);
		assertThat(this.mover.calls).containsExactly("low RUN all RETRY", "low ARCHIVE all PENDING",
				"low DELETE all COMPLETED", "low RUN group g", "low ARCHIVE group g", "low DELETE group g");
	}

	@Test
	void refusesStatesOfWhichNotAllCanBeMoved() {
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
		assertThat(this.mover.calls).isEmpty();
	}

	@Test
	void pausesAndResumesAndSaysWhenThereIsNothingToDo() {
		this.inspector.pauseQueue("new");
		assertThatExceptionOfType(QueueStateException.class).isThrownBy(() -> this.inspector.pauseQueue("new"))
			.withMessage("Queue 'new' is paused already");
		this.inspector.resumeQueue("new");
		assertThatExceptionOfType(QueueStateException.class).isThrownBy(() -> this.inspector.resumeQueue("new"))
			.withMessage("Queue 'new' is not paused");
	}

	@Test
	void saysWhatKeepsAQueueFromBeingDeleted() {
		this.keeper.inTheWay = Map.of("completed", 3L);
		assertThatExceptionOfType(QueueNotEmptyException.class)
			.isThrownBy(() -> this.inspector.deleteQueue("low", false))
			.withMessageContaining("'low'")
			.withMessageContaining("3 completed")
			.withMessageContaining("force")
			.satisfies((ex) -> assertThat(ex.contents()).containsEntry("completed", 3L));
		this.keeper.inTheWay = Map.of("active", 2L);
		assertThatExceptionOfType(QueueNotEmptyException.class)
			.isThrownBy(() -> this.inspector.deleteQueue("low", true))
			.withMessageContaining("2 active")
			.withMessageContaining("never deleted");
		this.keeper.inTheWay = Map.of();
		this.inspector.deleteQueue("low", true);
		assertThatExceptionOfType(QueueNotFoundException.class)
			.isThrownBy(() -> this.inspector.deleteQueue("high", true));
	}

	@Test
	void listsTheTasksOfAPage() {
		List<String> asked = new ArrayList<>();
		this.broker.lister = new TaskLister() {

			@Override
			public List<TaskInfo> list(String queue, TaskState state, long offset, int limit) {
				asked.add(queue + " " + state + " " + offset + " " + limit);
				return List.of();
			}

			@Override
			public List<TaskInfo> listGroup(String queue, String group, long offset, int limit) {
				asked.add(queue + " group " + group + " " + offset + " " + limit);
				return List.of();
			}

		};
		this.inspector.listTasks("low", TaskState.RETRY, FIRST);
		this.inspector.listTasks("low", TaskState.RETRY, Page.of(Integer.MAX_VALUE, Integer.MAX_VALUE));
		this.inspector.listAggregatingTasks("low", "g", FIRST.next());
		assertThat(asked).containsExactly("low RETRY 0 30", "low RETRY 4611686011984936962 2147483647",
				"low group g 30 30");
		assertThatExceptionOfType(AsynqException.class)
			.isThrownBy(() -> this.inspector.listTasks("low", TaskState.AGGREGATING, FIRST))
			.withMessageContaining("listAggregatingTasks");
		assertThatExceptionOfType(QueueNotFoundException.class)
			.isThrownBy(() -> this.inspector.listTasks("high", TaskState.RETRY, FIRST));
		assertThatExceptionOfType(QueueNotFoundException.class)
			.isThrownBy(() -> this.inspector.listAggregatingTasks("high", "g", FIRST));
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, -1, Integer.MIN_VALUE })
	void refusesPagesAndSizesBelowOne(int number) {
		assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> Page.of(number, 30))
			.withMessageContaining("at least 1")
			.withMessageContaining(String.valueOf(number));
		assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> Page.of(1, number))
			.withMessageContaining("size")
			.withMessageContaining(String.valueOf(number));
	}

	@Test
	void theHistoryBeginsWithTheUtcDayOfTheClock() {
		assertThat(this.inspector.history("low", 2)).extracting(DailyStats::date)
			.map(Object::toString)
			.containsExactly("2026-01-02", "2026-01-01");
		assertThat(this.inspector.history("low", 366)).hasSize(366);
		for (int days : new int[] { 0, -1, 367 }) {
			assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> this.inspector.history("low", days))
				.withMessageContaining("from 1 to 366")
				.withMessageContaining("is " + days);
		}
		assertThatExceptionOfType(QueueNotFoundException.class).isThrownBy(() -> this.inspector.history("high", 1));
		assertThatExceptionOfType(QueueNotFoundException.class).isThrownBy(() -> this.inspector.memoryUsage("high"));
	}

	@ParameterizedTest
	@EnumSource
	void refusesBlankNames(TaskMove move) {
		for (String blank : new String[] { "", " ", null }) {
			assertRefuses("queue", () -> each(move, blank));
			assertRefuses("queue", () -> one(move, blank, "x"));
			assertRefuses("id", () -> one(move, "low", blank));
			assertRefuses("queue", () -> this.inspector.updateTaskPayload(blank, "x", new byte[0]));
			assertRefuses("id", () -> this.inspector.updateTaskPayload("low", blank, new byte[0]));
			assertRefuses("queue", () -> this.inspector.listTasks(blank, TaskState.RETRY, FIRST));
			assertRefuses("group", () -> this.inspector.listAggregatingTasks("low", blank, FIRST));
			assertRefuses("group", () -> this.inspector.runAllAggregatingTasks("low", blank));
			assertRefuses("queue", () -> this.inspector.runAllTasks(blank, TaskState.RETRY));
			assertRefuses("queue", () -> this.inspector.pauseQueue(blank));
			assertRefuses("queue", () -> this.inspector.resumeQueue(blank));
			assertRefuses("queue", () -> this.inspector.deleteQueue(blank, true));
			assertRefuses("queue", () -> this.inspector.history(blank, 1));
			assertRefuses("queue", () -> this.inspector.groups(blank));
			assertRefuses("queue", () -> this.inspector.memoryUsage(blank));
			assertRefuses("id", () -> this.inspector.cancelTask(blank));
			assertRefuses("entryId", () -> this.inspector.schedulerEnqueueEvents(blank, FIRST));
			assertRefuses("queue", () -> this.inspector.clusterKeySlot(blank));
			assertRefuses("queue", () -> this.inspector.clusterNodes(blank));
		}
		assertThat(this.mover.calls).isEmpty();
	}

	private void one(TaskMove move, String queue, String id) {
		switch (move) {
			case RUN -> this.inspector.runTask(queue, id);
			case ARCHIVE -> this.inspector.archiveTask(queue, id);
			case DELETE -> this.inspector.deleteTask(queue, id);
		}
	}

	private void each(TaskMove move, String queue) {
		switch (move) {
			case RUN -> this.inspector.runTasks(queue, List.of("x"));
			case ARCHIVE -> this.inspector.archiveTasks(queue, List.of("x"));
			case DELETE -> this.inspector.deleteTasks(queue, List.of("x"));
		}
	}

	private static void assertRefuses(String argument, Runnable call) {
		assertThatExceptionOfType(AsynqException.class).isThrownBy(call::run)
			.withMessageContaining("'" + argument + "'")
			.withMessageContaining("blank");
	}

	/** Moves everything but what it was told of. */
	private static final class ScriptedMover implements TaskMover {

		private final Map<String, TaskMoveResult> results = new HashMap<>();

		private final List<String> calls = new ArrayList<>();

		@Override
		public List<TaskMoveResult> move(String queue, TaskMove move, List<String> ids) {
			this.calls.add(queue + " " + move + " " + ids);
			return ids.stream().map(this::result).toList();
		}

		@Override
		public long moveAll(String queue, TaskMove move, TaskState from) {
			this.calls.add(queue + " " + move + " all " + from);
			return 7;
		}

		@Override
		public long moveGroup(String queue, TaskMove move, String group) {
			this.calls.add(queue + " " + move + " group " + group);
			return 8;
		}

		@Override
		public TaskMoveResult updatePayload(String queue, String id, byte[] payload) {
			this.calls.add(queue + " update " + id + " " + payload.length);
			return result(id);
		}

		private TaskMoveResult result(String id) {
			return this.results.getOrDefault(id, new TaskMoveResult(Status.DONE, TaskState.SCHEDULED));
		}

	}

	/** One queue that is paused or not. */
	private static final class ScriptedKeeper implements QueueKeeper {

		private Map<String, Long> inTheWay = Map.of();

		private boolean paused;

		@Override
		public boolean pause(String queue) {
			boolean was = this.paused;
			this.paused = true;
			return !was;
		}

		@Override
		public boolean resume(String queue) {
			boolean was = this.paused;
			this.paused = false;
			return was;
		}

		@Override
		public Map<String, Long> delete(String queue, boolean force) {
			return this.inTheWay;
		}

	}

}
