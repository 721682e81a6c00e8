package io.asynq.interop.peer;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.asynq.TaskState;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Go's inspector.
 */
public final class GoInspector {

	private final GoConnection connection;

	GoInspector(GoConnection connection) {
		this.connection = connection;
	}

	public Set<String> queues() {
		Set<String> names = new TreeSet<>();
		call("queues", Map.of()).forEach((name) -> names.add(name.asString()));
		return names;
	}

	public QueueView queue(String queue) {
		return GoJson.queue(call("queueInfo", Map.of("queue", queue)));
	}

	/**
	 * Returns for how many milliseconds the next task of a queue has been waiting.
	 */
	public double latencyMillis(String queue) {
		return call("queueInfo", Map.of("queue", queue)).required("latencyMs").asDouble();
	}

	public TaskView task(String queue, String id) {
		return GoJson.task(call("taskInfo", Map.of("queue", queue, "id", id)));
	}

	public List<TaskView> list(String queue, TaskState state) {
		return list(queue, state, null);
	}

	public List<TaskView> list(String queue, TaskState state, @Nullable String group) {
		Map<String, @Nullable Object> arguments = new HashMap<>();
		arguments.put("queue", queue);
		arguments.put("state", state.wireName());
		arguments.put("group", group);
		return call("list", arguments).valueStream().map(GoJson::task).toList();
	}

	/**
	 * Lists one page of tasks.
	 * @param group their group, {@code null} for other tasks
	 * @param page the page, counted from 1
	 */
	public List<TaskView> page(String queue, TaskState state, @Nullable String group, int page, int size) {
		Map<String, @Nullable Object> arguments = new HashMap<>();
		arguments.put("queue", queue);
		arguments.put("state", state.wireName());
		arguments.put("group", group);
		arguments.put("page", page);
		arguments.put("size", size);
		return call("list", arguments).valueStream().map(GoJson::task).toList();
	}

	/**
	 * Returns the size of each group by name.
	 */
	public Map<String, Integer> groups(String queue) {
		Map<String, Integer> groups = new HashMap<>();
		call("groups", Map.of("queue", queue))
			.forEach((group) -> groups.put(group.required("group").asString(), group.required("size").asInt()));
		return groups;
	}

	/**
	 * Returns the processed and failed counters of the last days, today first.
	 */
	public List<List<Integer>> history(String queue, int days) {
		return call("history", Map.of("queue", queue, "days", days)).valueStream()
			.map((day) -> List.of(day.required("processed").asInt(), day.required("failed").asInt()))
			.toList();
	}

	public List<ServerView> servers() {
		return call("servers", Map.of()).valueStream().map(GoJson::server).toList();
	}

	public void cancel(String id) {
		call("cancel", Map.of("id", id));
	}

	public void pause(String queue) {
		call("pause", Map.of("queue", queue));
	}

	public void unpause(String queue) {
		call("unpause", Map.of("queue", queue));
	}

	public void run(TaskView task) {
		onTask("run", task);
	}

	public void archive(TaskView task) {
		onTask("archive", task);
	}

	public void delete(TaskView task) {
		onTask("delete", task);
	}

	private void onTask(String command, TaskView task) {
		call(command, Map.of("queue", task.queue(), "id", task.id()));
	}

	private JsonNode call(String command, Map<String, ? extends @Nullable Object> arguments) {
		return this.connection.call(command, arguments);
	}

}
