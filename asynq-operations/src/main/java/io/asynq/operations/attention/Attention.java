package io.asynq.operations.attention;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * All there is of one kind that somebody should look at: the worst hundred items, the
 * severity of the worst, and the earliest time.
 */
public record Attention(String kind, Severity severity, int count, @Nullable Instant since, String text, String action,
		Screen screen, List<Item> items) {

	public record Item(Severity severity, @Nullable String queue, @Nullable String type, @Nullable String id,
			@Nullable Long count, @Nullable Instant since, String text, Screen screen) {
	}

	public record Screen(String name, Map<String, String> params) {

		static Screen queue(String queue) {
			return new Screen("queue", Map.of("q", queue));
		}

		static Screen queue(String queue, String state) {
			return new Screen("queue", Map.of("q", queue, "state", state));
		}

	}

}
