package io.asynq.operate.attention;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Something that somebody should look at: all there is of one kind.
 *
 * @param kind what it is, such as {@code queue-without-consumer}
 * @param severity the worst of its items
 * @param count how many items there are
 * @param since since when, as far as is known: the earliest of its items
 * @param text what it is, one sentence
 * @param action what to do
 * @param screen where in the console to do it
 * @param items the worst of them, a hundred at most
 */
public record Attention(String kind, Severity severity, int count, @Nullable Instant since, String text, String action,
		Screen screen, List<Item> items) {

	/**
	 * One queue, server or task.
	 *
	 * @param severity how bad it is
	 * @param queue the queue it is about
	 * @param type the type of task it is about, if it is one
	 * @param id the task, server, periodic entry or limit it is about
	 * @param count how many tasks it is about
	 * @param since since when
	 * @param text what it is and what comes of it, one sentence
	 * @param screen where in the console more is to be seen
	 */
	public record Item(Severity severity, @Nullable String queue, @Nullable String type, @Nullable String id,
			@Nullable Long count, @Nullable Instant since, String text, Screen screen) {
	}

	/**
	 * A screen of the console.
	 *
	 * @param name its name
	 * @param params its parameters
	 */
	public record Screen(String name, Map<String, String> params) {

		static Screen queue(String queue) {
			return new Screen("queue", Map.of("q", queue));
		}

		static Screen queue(String queue, String state) {
			return new Screen("queue", Map.of("q", queue, "state", state));
		}

	}

}
