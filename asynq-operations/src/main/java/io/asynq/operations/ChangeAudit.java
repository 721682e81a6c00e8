package io.asynq.operations;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

import io.asynq.internal.lifecycle.UserCode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Refused changes are told as well.
 */
public final class ChangeAudit {

	private final Logger logger;

	private final @Nullable Sink sink;

	public ChangeAudit(Logger logger, @Nullable Sink sink) {
		this.logger = logger;
		this.sink = sink;
	}

	/**
	 * @param data what the change was about, without payloads
	 */
	public void done(String who, String what, Map<String, Object> data, long count) {
		Map<String, Object> told = new LinkedHashMap<>(data);
		told.put("count", count);
		this.logger.info("{} by {}: {}", what, who, told);
		publish(who, what, told);
	}

	public void refused(String who, String what, Map<String, Object> data, Problem problem) {
		Map<String, Object> told = new LinkedHashMap<>(data);
		told.put("count", 0L);
		told.put("status", problem.status());
		told.put("code", problem.code());
		this.logger.info("{} by {} was refused: {}", what, who, told);
		publish(who, what, told);
	}

	private void publish(String who, String what, Map<String, Object> data) {
		Sink to = this.sink;
		if (to != null) {
			String type = "ASYNQ_" + what.toUpperCase(Locale.ROOT).replaceAll("[^A-Z]", "_");
			// The change is made, whatever listeners do
			UserCode.run(() -> to.publish(who, type, data),
					(shown) -> this.logger.warn("A listener of audit events failed", shown));
		}
	}

	@FunctionalInterface
	public interface Sink {

		void publish(String principal, String type, Map<String, Object> data);

	}

}
