package io.asynq.interop.peer;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

import io.asynq.TaskState;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Converts the output of the Go program to our views. Go's zero values ("", 0, no time)
 * become what Java uses for nothing.
 */
final class GoJson {

	private GoJson() {
	}

	static TaskView task(JsonNode node) {
		return new TaskView(required(node, "id"), required(node, "queue"), required(node, "type"),
				bytes(node.get("payload")), headers(node.path("headers")), TaskState.of(required(node, "state")),
				node.required("maxRetry").asInt(), node.required("retried").asInt(), text(node, "lastError"),
				instant(node, "lastFailedAt"), seconds(node, "timeoutSeconds"), instant(node, "deadline"),
				text(node, "group"), instant(node, "nextProcessAt"), node.required("orphaned").asBoolean(),
				seconds(node, "retentionSeconds"), instant(node, "completedAt"), bytes(node.get("result")));
	}

	static QueueView queue(JsonNode node) {
		Map<TaskState, Long> sizes = new EnumMap<>(TaskState.class);
		for (TaskState state : TaskState.stored()) {
			sizes.put(state, node.required(state.wireName()).asLong());
		}
		long sum = sizes.values().stream().mapToLong(Long::longValue).sum();
		if (sum != node.required("size").asLong()) {
			throw new AssertionError("Go's size of the queue is not the sum of its parts: " + node);
		}
		return new QueueView(sizes, node.required("groups").asLong(), node.required("processed").asLong(),
				node.required("failed").asLong(), node.required("processedTotal").asLong(),
				node.required("failedTotal").asLong(), node.required("paused").asBoolean());
	}

	static Attempt attempt(JsonNode node) {
		Instant deadline = instant(node, "deadline");
		return new Attempt(required(node, "taskId"), required(node, "type"), required(node, "queue"),
				bytes(node.get("payload")), headers(node.path("headers")), node.required("retried").asInt(),
				node.required("maxRetry").asInt(),
				(deadline != null) ? deadline.truncatedTo(ChronoUnit.SECONDS) : null);
	}

	static AttemptEnd attemptEnd(JsonNode node) {
		return new AttemptEnd(required(node, "taskId"), text(node, "error"), text(node, "cancelled"));
	}

	static ServerView server(JsonNode node) {
		Map<String, Integer> queues = new LinkedHashMap<>();
		node.required("queues").forEachEntry((name, weight) -> queues.put(name, weight.asInt()));
		return new ServerView(required(node, "id"), required(node, "host"), node.required("pid").asLong(),
				node.required("concurrency").asInt(), queues, node.required("strictPriority").asBoolean(),
				instant(node, "started"), required(node, "status"),
				node.required("activeWorkers").valueStream().map(GoJson::worker).toList());
	}

	static @Nullable Instant instant(JsonNode node, String field) {
		JsonNode value = node.required(field);
		return value.isNull() ? null : Instant.parse(value.asString());
	}

	private static ServerView.Worker worker(JsonNode node) {
		return new ServerView.Worker(required(node, "taskId"), required(node, "taskType"), bytes(node.get("payload")),
				required(node, "queue"), instant(node, "started"), instant(node, "deadline"));
	}

	private static String required(JsonNode node, String field) {
		return node.required(field).asString();
	}

	private static @Nullable String text(JsonNode node, String field) {
		String value = required(node, field);
		return value.isEmpty() ? null : value;
	}

	private static @Nullable String bytes(@Nullable JsonNode value) {
		return (value == null || value.isNull()) ? null : TaskView.text(value.binaryValue());
	}

	private static Duration seconds(JsonNode node, String field) {
		return Duration.ofMillis(Math.round(node.required(field).asDouble() * 1000));
	}

	private static Map<String, String> headers(JsonNode node) {
		Map<String, String> headers = new LinkedHashMap<>();
		node.forEachEntry((name, value) -> headers.put(name, value.asString()));
		return headers;
	}

}
