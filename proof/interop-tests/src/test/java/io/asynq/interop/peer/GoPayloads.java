package io.asynq.interop.peer;

import java.time.Duration;
import java.util.Map;

import tools.jackson.databind.JsonNode;

/**
 * Payloads that are structs of the Go program, written and read by {@code encoding/json}.
 */
public final class GoPayloads {

	private final GoConnection connection;

	GoPayloads(GoConnection connection) {
		this.connection = connection;
	}

	/**
	 * Enqueues a struct that the Go program has.
	 * @param form which one
	 */
	public TaskView enqueue(String form) {
		return GoJson.task(this.connection.call("payload.enqueue", Map.of("form", form)));
	}

	/**
	 * Enqueues a struct that the Go program has as a unique task.
	 * @param form which one
	 */
	public TaskView enqueue(String form, Duration unique) {
		return GoJson
			.task(this.connection.call("payload.enqueue", Map.of("form", form, "uniqueMs", unique.toMillis())));
	}

	/**
	 * Reads the payload of a task into a struct.
	 * @param form "order" or "untagged"
	 * @return the struct, written by Go
	 * @throws GoException if a field is unknown to the struct, or has another type
	 */
	public JsonNode read(String form, String queue, String id) {
		return this.connection.call("payload.read", Map.of("form", form, "queue", queue, "id", id));
	}

}
