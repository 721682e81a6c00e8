package io.asynq.interop.peer;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Go's schedulers, and all schedulers as its inspector shows them.
 */
public final class GoSchedulers {

	private final GoConnection connection;

	GoSchedulers(GoConnection connection) {
		this.connection = connection;
	}

	/**
	 * Starts a scheduler with a heartbeat of one second.
	 * @param spec when its entry fires
	 * @param type the type of the tasks
	 * @return the id of the entry
	 */
	public String start(String name, String spec, String type) {
		return this.connection.call("scheduler.start", Map.of("name", name, "heartbeatMs", 1000, "entries",
				List.of(Map.of("spec", spec, "task", Map.of("type", type)))))
			.get(0)
			.asString();
	}

	public void shutdown(String name) {
		this.connection.call("scheduler.shutdown", Map.of("name", name));
	}

	public List<EntryView> entries() {
		return this.connection.call("scheduler.entries", Map.of())
			.valueStream()
			.map((entry) -> new EntryView(entry.required("id").asString(), entry.required("spec").asString(),
					entry.required("type").asString(),
					entry.path("payload").isString() ? TaskView.text(entry.path("payload").binaryValue()) : null,
					entry.required("options").valueStream().map(JsonNode::asString).toList(),
					GoJson.instant(entry, "next"), GoJson.instant(entry, "prev")))
			.toList();
	}

	/**
	 * Returns the enqueue events of an entry: times by task id, the latest first.
	 */
	public Map<String, Instant> events(String entry) {
		Map<String, Instant> events = new LinkedHashMap<>();
		this.connection.call("scheduler.events", Map.of("id", entry))
			.forEach((event) -> events.put(event.required("taskId").asString(), GoJson.instant(event, "enqueuedAt")));
		return events;
	}

	/**
	 * Returns the current table of fire times of Go's cron library, one line per row.
	 */
	public List<String> fireTimes() {
		return lines("cron.fireTimes");
	}

	/**
	 * Returns which specs Go's cron library accepts, one line per row.
	 */
	public List<String> verdicts() {
		return lines("cron.verdicts");
	}

	private List<String> lines(String command) {
		List<String> lines = new ArrayList<>();
		this.connection.call(command, Map.of()).forEach((row) -> lines.add(row.toString()));
		return lines;
	}

	/**
	 * An entry as Go shows it.
	 *
	 * @param id the entry
	 * @param spec when it fires
	 * @param type type of its tasks
	 * @param payload their payload
	 * @param options the options that Go could read, written by Go
	 * @param next its next fire, {@code null} for never
	 * @param previous its last fire, {@code null} for none
	 */
	public record EntryView(String id, String spec, String type, @Nullable String payload, List<String> options,
			@Nullable Instant next, @Nullable Instant previous) {
	}

}
