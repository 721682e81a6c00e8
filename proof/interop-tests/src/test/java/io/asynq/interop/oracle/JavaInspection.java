package io.asynq.interop.oracle;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.Page;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.interop.oracle.JavaActor.Operation;

/**
 * Operations of the inspector.
 */
final class JavaInspection {

	private final AsynqInspector inspector;

	JavaInspection(RedisBroker broker) {
		this.inspector = AsynqInspector.create(broker, Clock.systemUTC());
	}

	void addTo(Map<String, Operation> operations) {
		operations.put("queues",
				(with) -> this.inspector.queues().stream().collect(Collectors.toMap((name) -> name, (name) -> true)));
		operations.put("queueInfo", (with) -> Views.queue(this.inspector.queueInfo(with.text("queue"))));
		operations.put("history",
				(with) -> this.inspector.history(with.text("queue"), with.number("days"))
					.stream()
					.map((day) -> List.of(day.processed(), day.failed()))
					.toList());
		operations.put("groups",
				(with) -> this.inspector.groups(with.text("queue"))
					.stream()
					.collect(Collectors.toMap((group) -> group.name(), (group) -> group.size())));
		operations.put("taskInfo", (with) -> Views.task(this.inspector.taskInfo(with.text("queue"), with.text("id"))));
		operations.put("list", (with) -> list(with).stream().map(Views::task).toList());
		operations.put("servers", (with) -> this.inspector.servers().stream().map(Views::server).toList());
		operations.put("keySlot", (with) -> this.inspector.clusterKeySlot(queue(with)));
		operations.put("nodes", (with) -> this.inspector.clusterNodes(queue(with)));
		addChanges(operations);
		operations.put("runAll",
				(with) -> all(with, (group) -> this.inspector.runAllAggregatingTasks(queue(with), group),
						(state) -> this.inspector.runAllTasks(queue(with), state)));
		operations.put("archiveAll",
				(with) -> all(with, (group) -> this.inspector.archiveAllAggregatingTasks(queue(with), group),
						(state) -> this.inspector.archiveAllTasks(queue(with), state)));
		operations.put("deleteAll",
				(with) -> all(with, (group) -> this.inspector.deleteAllAggregatingTasks(queue(with), group),
						(state) -> this.inspector.deleteAllTasks(queue(with), state)));
	}

	private void addChanges(Map<String, Operation> operations) {
		operations.put("run", nothing((with) -> this.inspector.runTask(queue(with), with.text("id"))));
		operations.put("archive", nothing((with) -> this.inspector.archiveTask(queue(with), with.text("id"))));
		operations.put("delete", nothing((with) -> this.inspector.deleteTask(queue(with), with.text("id"))));
		operations.put("update", nothing((with) -> this.inspector.updateTaskPayload(queue(with), with.text("id"),
				with.text("payload").getBytes(StandardCharsets.UTF_8))));
		operations.put("cancel", nothing((with) -> this.inspector.cancelTask(with.text("id"))));
		operations.put("pause", nothing((with) -> this.inspector.pauseQueue(queue(with))));
		operations.put("resume", nothing((with) -> this.inspector.resumeQueue(queue(with))));
		operations.put("deleteQueue", nothing((with) -> this.inspector.deleteQueue(queue(with), with.flag("force"))));
	}

	private List<TaskInfo> list(Arguments with) {
		Page page = Page.of(with.number("page"), with.number("size"));
		TaskState state = TaskState.of(with.text("state"));
		return (state == TaskState.AGGREGATING)
				? this.inspector.listAggregatingTasks(queue(with), with.text("group"), page)
				: this.inspector.listTasks(queue(with), state, page);
	}

	private static Map<String, Long> all(Arguments with, ToLongFunction<String> ofGroup,
			ToLongFunction<TaskState> ofState) {
		TaskState state = TaskState.of(with.text("state"));
		return Map.of("count", (state == TaskState.AGGREGATING) ? ofGroup.applyAsLong(with.text("group"))
				: ofState.applyAsLong(state));
	}

	private static String queue(Arguments with) {
		return with.text("queue");
	}

	private static Operation nothing(Change change) {
		return (with) -> {
			change.perform(with);
			return null;
		};
	}

	/**
	 * An operation without a result.
	 */
	@FunctionalInterface
	private interface Change {

		void perform(Arguments with);

	}

}
