package io.asynq.console.http;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.asynq.lifecycle.UserCode;
import io.asynq.logging.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Tells who has changed what, how much and why: one line in the log and one event for
 * each change, refused ones included. Payloads are left out.
 */
public final class ConsoleAudit {

	private static final Logger logger = OneLineLogger.of(ConsoleAudit.class);

	private static final Map<String, String> NAMES = Map.of("q", "queue");

	private static final List<String> TOLD = List.of("q", "state", "states", "group", "id", "ids", "type", "action",
			"filter", "failureKey", "all", "expectedCount", "force", "freshRetries", "mode", "kinds", "apply",
			"reason");

	private final @Nullable Sink sink;

	/**
	 * @param sink takes the events, {@code null} if nobody does
	 */
	public ConsoleAudit(@Nullable Sink sink) {
		this.sink = sink;
	}

	/** Tells that a change was made. */
	public void done(String what, ConsoleCall call, ConsoleChange change) {
		Map<String, Object> data = data(call);
		data.put("count", change.count());
		logger.info("{} by {}: {}", what, call.caller().name(), data);
		publish(what, call, data);
	}

	void refused(String what, ConsoleCall call, Problem problem) {
		Map<String, Object> data = data(call);
		data.put("count", 0L);
		data.put("status", problem.status());
		data.put("code", problem.code());
		logger.info("{} by {} was refused: {}", what, call.caller().name(), data);
		publish(what, call, data);
	}

	private void publish(String what, ConsoleCall call, Map<String, Object> data) {
		Sink to = this.sink;
		if (to != null) {
			String type = "ASYNQ_" + what.toUpperCase(Locale.ROOT).replaceAll("[^A-Z]", "_");
			// The change is made, whatever listeners do
			UserCode.run(() -> to.publish(call.caller().name(), type, data),
					(shown) -> logger.warn("A listener of audit events failed", shown));
		}
	}

	private static Map<String, Object> data(ConsoleCall call) {
		Map<String, Object> data = new LinkedHashMap<>();
		for (String name : TOLD) {
			Object value = call.values().get(name);
			if (value != null) {
				data.put(NAMES.getOrDefault(name, name), value);
			}
		}
		return data;
	}

	/**
	 * Takes events.
	 */
	@FunctionalInterface
	public interface Sink {

		/** Publishes an event. */
		void publish(String principal, String type, Map<String, Object> data);

	}

}
