package io.asynq.inspect;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import io.asynq.AsynqException;
import io.asynq.QueueNotFoundException;
import io.asynq.TaskState;
import io.asynq.internal.inspect.TaskMove;
import io.asynq.internal.inspect.TaskMove.Result.Status;
import io.asynq.test.FakeBroker;
import io.asynq.test.MutableClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How {@link AsynqInspector} rejects invalid arguments, method by method.
 */
class InspectorArgumentsTests {

	private static final Page FIRST = Page.first();

	/** Methods that need an existing queue. */
	private static final Map<String, BiConsumer<AsynqInspector, String>> OF_A_QUEUE = new TreeMap<>(Map.ofEntries(
			Map.entry("queueInfo", AsynqInspector::queueInfo), Map.entry("memoryUsage", AsynqInspector::memoryUsage),
			Map.entry("history", (inspector, queue) -> inspector.history(queue, 1)),
			Map.entry("taskInfo", (inspector, queue) -> inspector.taskInfo(queue, "x")),
			Map.entry("listTasks", (inspector, queue) -> inspector.listTasks(queue, TaskState.RETRY, FIRST)),
			Map.entry("listAggregatingTasks", (inspector, queue) -> inspector.listAggregatingTasks(queue, "g", FIRST)),
			Map.entry("runTask", (inspector, queue) -> inspector.runTask(queue, "x")),
			Map.entry("archiveTask", (inspector, queue) -> inspector.archiveTask(queue, "x")),
			Map.entry("deleteTask", (inspector, queue) -> inspector.deleteTask(queue, "x")),
			Map.entry("updateTaskPayload", (inspector, queue) -> inspector.updateTaskPayload(queue, "x", new byte[0])),
			Map.entry("runTasks", (inspector, queue) -> inspector.runTasks(queue, List.of("x"))),
			Map.entry("archiveTasks", (inspector, queue) -> inspector.archiveTasks(queue, List.of("x"))),
			Map.entry("deleteTasks", (inspector, queue) -> inspector.deleteTasks(queue, List.of("x"))),
			Map.entry("runAllTasks", (inspector, queue) -> inspector.runAllTasks(queue, TaskState.RETRY)),
			Map.entry("archiveAllTasks", (inspector, queue) -> inspector.archiveAllTasks(queue, TaskState.RETRY)),
			Map.entry("deleteAllTasks", (inspector, queue) -> inspector.deleteAllTasks(queue, TaskState.RETRY)),
			Map.entry("runAllAggregatingTasks", (inspector, queue) -> inspector.runAllAggregatingTasks(queue, "g")),
			Map.entry("archiveAllAggregatingTasks",
					(inspector, queue) -> inspector.archiveAllAggregatingTasks(queue, "g")),
			Map.entry("deleteAllAggregatingTasks",
					(inspector, queue) -> inspector.deleteAllAggregatingTasks(queue, "g")),
			Map.entry("deleteQueue", (inspector, queue) -> inspector.deleteQueue(queue, true))));

	/** Methods that need no existing queue. */
	private static final Map<String, BiConsumer<AsynqInspector, String>> OF_ANY_QUEUE = Map.of("groups",
			AsynqInspector::groups, "pauseQueue", AsynqInspector::pauseQueue, "resumeQueue",
			AsynqInspector::resumeQueue, "clusterKeySlot", AsynqInspector::clusterKeySlot, "clusterNodes",
			AsynqInspector::clusterNodes);

	/** The methods by the name of the argument that is blank. */
	private static final Map<String, List<BiConsumer<AsynqInspector, String>>> OF_A_NAME = Map.of("id",
			List.of((inspector, id) -> inspector.taskInfo("low", id), (inspector, id) -> inspector.runTask("low", id),
					(inspector, id) -> inspector.archiveTask("low", id),
					(inspector, id) -> inspector.deleteTask("low", id),
					(inspector, id) -> inspector.updateTaskPayload("low", id, new byte[0]), AsynqInspector::cancelTask),
			"group",
			List.of((inspector, group) -> inspector.listAggregatingTasks("low", group, FIRST),
					(inspector, group) -> inspector.groupInfo("low", group),
					(inspector, group) -> inspector.runAllAggregatingTasks("low", group),
					(inspector, group) -> inspector.archiveAllAggregatingTasks("low", group),
					(inspector, group) -> inspector.deleteAllAggregatingTasks("low", group)),
			"entryId", List.of((inspector, id) -> inspector.schedulerEnqueueEvents(id, FIRST)));

	private static final List<String> METHODS = List.copyOf(OF_A_QUEUE.keySet());

	private final FakeBroker broker = new FakeBroker();

	private final ScriptedTasks tasks = new ScriptedTasks();

	private final AsynqInspector inspector;

	InspectorArgumentsTests() {
		this.broker.tasks = this.tasks;
		this.inspector = AsynqInspector.create(this.broker, new MutableClock(Instant.parse("2026-01-02T23:59:59Z")));
	}

	@BeforeEach
	void seed() {
		QueueStats.Counters none = new QueueStats.Counters(0, 0);
		this.broker.stats.put("low", new QueueStats(Map.of(), 0, Duration.ZERO, none, none, false));
		this.tasks.results.put("x", new TaskMove.Result(Status.NOT_FOUND, null));
	}

	@ParameterizedTest
	@FieldSource("METHODS")
	void missingQueueIsNamed(String method) {
		assertThatExceptionOfType(QueueNotFoundException.class)
			.isThrownBy(() -> OF_A_QUEUE.get(method).accept(this.inspector, "high"))
			.withMessageContaining("'high'");
	}

	@Test
	void queueCanBePausedBeforeItsFirstTask() {
		assertThat(this.inspector.queues()).doesNotContain("high");
		this.inspector.pauseQueue("high");
		this.inspector.resumeQueue("high");
	}

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = { "", " ", "\t" })
	void blankNamesAreRejected(@Nullable String blank) {
		OF_A_QUEUE.values().forEach((call) -> assertRefuses("queue", blank, call));
		OF_ANY_QUEUE.values().forEach((call) -> assertRefuses("queue", blank, call));
		OF_A_NAME.forEach((name, calls) -> calls.forEach((call) -> assertRefuses(name, blank, call)));
		assertThat(this.tasks.calls).isEmpty();
	}

	@Test
	void deferredTasksCannotBeListed() {
		assertThatExceptionOfType(AsynqException.class)
			.isThrownBy(() -> this.inspector.listTasks("low", TaskState.DEFERRED, FIRST))
			.withMessageContaining("not in Redis");
	}

	@Test
	@SuppressWarnings("NullAway")
	void nullIsRejectedWithNameOfArgument() {
		assertRefusesNull("state", (inspector) -> inspector.listTasks("low", null, FIRST));
		assertRefusesNull("page", (inspector) -> inspector.listTasks("low", TaskState.RETRY, null));
		assertRefusesNull("page", (inspector) -> inspector.listAggregatingTasks("low", "g", null));
		assertRefusesNull("page", (inspector) -> inspector.schedulerEnqueueEvents("entry", null));
		assertRefusesNull("payload", (inspector) -> inspector.updateTaskPayload("low", "x", null));
		assertRefusesNull("ids", (inspector) -> inspector.runTasks("low", null));
		assertRefusesNull("ids", (inspector) -> inspector.archiveTasks("low", null));
		assertRefusesNull("ids", (inspector) -> inspector.deleteTasks("low", null));
		assertRefusesNull("state", (inspector) -> inspector.runAllTasks("low", null));
		assertRefusesNull("state", (inspector) -> inspector.archiveAllTasks("low", null));
		assertRefusesNull("state", (inspector) -> inspector.deleteAllTasks("low", null));
	}

	private void assertRefuses(String argument, @Nullable String blank, BiConsumer<AsynqInspector, String> call) {
		assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> call.accept(this.inspector, blank))
			.withMessage("Argument '%s' must not be blank, but is '%s'", argument, blank);
	}

	private void assertRefusesNull(String argument, Consumer<AsynqInspector> call) {
		assertThatExceptionOfType(AsynqException.class).isThrownBy(() -> call.accept(this.inspector))
			.withMessage("Argument '%s' must not be null", argument);
	}

}
