package io.asynq.interop.peer;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.asynq.TaskState;
import io.asynq.inspect.EnqueueEvent;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * How Go's inspector works on many tasks, queues and schedulers.
 */
public final class GoInspection {

	private final GoConnection connection;

	GoInspection(GoConnection connection) {
		this.connection = connection;
	}

	/**
	 * Lists a page of tasks.
	 * @param group their group, "" for none
	 * @param page the page, counted from 1
	 */
	public List<TaskView> list(String queue, TaskState state, String group, int page, int size) {
		return call("list",
				Map.of("queue", queue, "state", state.wireName(), "group", group, "page", page, "size", size))
			.valueStream()
			.map(GoJson::task)
			.toList();
	}

	/**
	 * Moves all tasks of a state.
	 * @param action {@code run}, {@code archive} or {@code delete}
	 * @param group the group, "" for none
	 * @return the number of tasks
	 */
	public long all(String action, String queue, TaskState state, String group) {
		return call("inspect." + action + "All", Map.of("queue", queue, "state", state.wireName(), "group", group))
			.asLong();
	}

	/**
	 * Moves one task.
	 * @param action {@code run}, {@code archive} or {@code delete}
	 */
	public void one(String action, String queue, String id) {
		call(action, Map.of("queue", queue, "id", id));
	}

	public void updatePayload(String queue, String id, byte[] payload) {
		call("inspect.updatePayload", Map.of("queue", queue, "id", id, "payload", payload));
	}

	public void deleteQueue(String queue, boolean force) {
		call("inspect.deleteQueue", Map.of("queue", queue, "force", force));
	}

	public long memoryUsage(String queue) {
		return call("queueInfo", Map.of("queue", queue)).required("memoryUsage").asLong();
	}

	/**
	 * Starts a scheduler that lives until the peer is closed.
	 * @param spec when the first of its two entries fires; the second never does
	 * @return the id of the first
	 */
	public String startScheduler(String spec) {
		return call("inspect.startScheduler", Map.of("spec", spec)).asString();
	}

	public List<Entry> schedulerEntries() {
		return call("inspect.schedulerEntries", Map.of()).valueStream().map(GoInspection::entry).toList();
	}

	public List<EnqueueEvent> enqueueEvents(String entry, int page, int size) {
		return call("inspect.enqueueEvents", Map.of("entry", entry, "page", page, "size", size)).valueStream()
			.map((event) -> new EnqueueEvent(event.required("taskId").asString(),
					Instant.parse(event.required("enqueuedAt").asString())))
			.toList();
	}

	private JsonNode call(String command, Map<String, ?> arguments) {
		return this.connection.call(command, arguments);
	}

	private static Entry entry(JsonNode node) {
		return new Entry(node.required("id").asString(), node.required("spec").asString(),
				node.required("type").asString(), GoJson.instant(node, "next"), GoJson.instant(node, "prev"),
				node.path("options").valueStream().map(JsonNode::asString).toList());
	}

	/**
	 * A periodic task as Go shows it.
	 *
	 * @param id its id
	 * @param spec when it fires
	 * @param type the type of its tasks
	 * @param next when it fires next
	 * @param previous when it fired last
	 * @param options its options as text
	 */
	public record Entry(String id, String spec, String type, @Nullable Instant next, @Nullable Instant previous,
			List<String> options) {
	}

}
