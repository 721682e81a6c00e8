package io.asynq.console.view;

import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Something that somebody should look at.
 *
 * @param kind what it is, such as {@code queue-without-consumer}
 * @param severity {@code error}, {@code warning} or {@code info}
 * @param queue the queue it is about
 * @param type the type of task it is about, if it is one
 * @param id the task or server it is about
 * @param count how many there are
 * @param since since when
 * @param text what it is and what comes of it, one sentence
 * @param screen where more is to be seen
 */
public record Attention(String kind, String severity, @Nullable String queue, @Nullable String type,
		@Nullable String id, @Nullable Long count, @Nullable Instant since, String text, Screen screen) {

	static final String ERROR = "error";

	static final String WARNING = "warning";

	static final String INFO = "info";

	/** Returns how much it matters: the lower, the more. */
	int rank() {
		return switch (this.severity) {
			case ERROR -> 0;
			case WARNING -> 1;
			default -> 2;
		};
	}

	/**
	 * A screen.
	 *
	 * @param name its name
	 * @param params its parameters
	 */
	public record Screen(String name, Map<String, String> params) {
	}

}
