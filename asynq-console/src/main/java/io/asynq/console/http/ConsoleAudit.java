package io.asynq.console.http;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.asynq.internal.text.OneLineLogger;
import io.asynq.operations.ChangeAudit;
import io.asynq.operations.Problem;
import org.jspecify.annotations.Nullable;

/**
 * Tells who has changed what, how much and why. Payloads are left out.
 */
public final class ConsoleAudit {

	private static final Map<String, String> NAMES = Map.of("q", "queue");

	private static final List<String> TOLD = List.of("q", "state", "states", "group", "id", "ids", "type", "action",
			"filter", "failures", "all", "expectedCount", "force", "freshRetries", "mode", "kinds", "apply", "reason");

	private final ChangeAudit audit;

	public ConsoleAudit(ChangeAudit.@Nullable Sink sink) {
		this.audit = new ChangeAudit(OneLineLogger.of(ConsoleAudit.class), sink);
	}

	public void done(String what, ConsoleCall call, ConsoleChange change) {
		this.audit.done(call.caller().name(), what, data(call), change.count());
	}

	public void ended(String what, ConsoleCall call, Map<String, Object> end, long count) {
		Map<String, Object> data = data(call);
		data.putAll(end);
		this.audit.done(call.caller().name(), what, data, count);
	}

	void refused(String what, ConsoleCall call, Problem problem) {
		this.audit.refused(call.caller().name(), what, data(call), problem);
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

}
