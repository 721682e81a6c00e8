package io.asynq.operate.filter;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;

import io.asynq.TaskInfo;
import io.asynq.gotext.GoDuration;
import org.jspecify.annotations.Nullable;

/**
 * Which tasks are meant, as people write it:
 * {@code type:mail:send error:"connection reset" older:30m}. All words must hold.
 * <table>
 * <tr>
 * <td>{@code type:}</td>
 * <td>this type; with a star at its end, types that begin so</td>
 * </tr>
 * <tr>
 * <td>{@code id:}</td>
 * <td>the id contains this; with a star at its end, begins with it</td>
 * </tr>
 * <tr>
 * <td>{@code error:}</td>
 * <td>the last error contains this, in any case</td>
 * </tr>
 * <tr>
 * <td>{@code payload:}</td>
 * <td>the payload contains these bytes, as UTF-8 and in the same case</td>
 * </tr>
 * <tr>
 * <td>{@code header:name}, {@code header:name=value}</td>
 * <td>there is such a header; its value is exactly this</td>
 * </tr>
 * <tr>
 * <td>{@code older:}, {@code newer:}</td>
 * <td>its time is at least, or at most, this long ago, as in {@code 30m}, {@code 7d} or
 * {@code PT6H}</td>
 * </tr>
 * </table>
 * The time of a task is its last failure, else when it was completed, else when it is
 * due. A value with blanks stands in double quotes, in which a backslash makes the next
 * quote or backslash plain. Immutable.
 */
public final class TaskFilter {

	private static final TaskFilter ALL = new TaskFilter("", List.of(), false);

	private static final String KEYS = "type:, id:, error:, payload:, header:, older: and newer:";

	private final String text;

	private final List<BiPredicate<TaskInfo, Instant>> conditions;

	private final boolean asksPayload;

	private TaskFilter(String text, List<BiPredicate<TaskInfo, Instant>> conditions, boolean asksPayload) {
		this.text = text;
		this.conditions = conditions;
		this.asksPayload = asksPayload;
	}

	/**
	 * Reads a filter.
	 * @param text the words, {@code null} or blank for all tasks
	 * @throws TaskFilterException if it cannot be read
	 */
	public static TaskFilter parse(@Nullable String text) {
		if (text == null || text.isBlank()) {
			return ALL;
		}
		List<BiPredicate<TaskInfo, Instant>> conditions = new ArrayList<>();
		boolean asksPayload = false;
		for (Word word : Word.split(text)) {
			asksPayload |= word.key().equals("payload") || word.key().equals("header");
			conditions.add(condition(word));
		}
		return new TaskFilter(text.strip(), List.copyOf(conditions), asksPayload);
	}

	/** Returns a filter that all tasks pass. */
	public static TaskFilter all() {
		return ALL;
	}

	/** Returns whether all tasks pass. */
	public boolean isAll() {
		return this.conditions.isEmpty();
	}

	/**
	 * Returns whether it asks for payloads or headers, which not everybody may see.
	 */
	public boolean asksPayload() {
		return this.asksPayload;
	}

	/**
	 * Returns whether a task passes.
	 * @param now what ages are measured by
	 */
	public boolean passes(TaskInfo task, Instant now) {
		return this.conditions.stream().allMatch((condition) -> condition.test(task, now));
	}

	/** Returns it as it was written. */
	@Override
	public String toString() {
		return this.text;
	}

	private static BiPredicate<TaskInfo, Instant> condition(Word word) {
		String value = word.value();
		return switch (word.key()) {
			case "type" -> (task, now) -> isOrBegins(task.type(), value);
			case "id" -> (task, now) -> value.endsWith("*")
					? task.id().startsWith(value.substring(0, value.length() - 1)) : task.id().contains(value);
			case "error" -> (task, now) -> containsIgnoringCase(task.lastError(), value);
			case "payload" -> payload(value.getBytes(StandardCharsets.UTF_8));
			case "header" -> header(value);
			case "older" -> older(age(word));
			case "newer" -> newer(age(word));
			default -> throw new TaskFilterException(
					"A filter has no '" + word.key() + ":'; it may have " + KEYS + " such as type:mail:send");
		};
	}

	private static boolean isOrBegins(String text, String value) {
		return value.endsWith("*") ? text.startsWith(value.substring(0, value.length() - 1)) : text.equals(value);
	}

	private static boolean containsIgnoringCase(@Nullable String text, String part) {
		if (text == null) {
			return false;
		}
		for (int i = 0; i <= text.length() - part.length(); i++) {
			if (text.regionMatches(true, i, part, 0, part.length())) {
				return true;
			}
		}
		return false;
	}

	private static BiPredicate<TaskInfo, Instant> payload(byte[] part) {
		return (task, now) -> {
			byte[] payload = task.payload();
			return payload != null && contains(payload, part);
		};
	}

	private static boolean contains(byte[] all, byte[] part) {
		for (int i = 0; i <= all.length - part.length; i++) {
			int same = 0;
			while (same < part.length && all[i + same] == part[same]) {
				same++;
			}
			if (same == part.length) {
				return true;
			}
		}
		return false;
	}

	private static BiPredicate<TaskInfo, Instant> header(String value) {
		int equals = value.indexOf('=');
		if (equals == 0) {
			throw new TaskFilterException("A filter's 'header:' has no name; write header:name or header:name=value");
		}
		if (equals < 0) {
			return (task, now) -> task.headers().containsKey(value);
		}
		String name = value.substring(0, equals);
		String wanted = value.substring(equals + 1);
		return (task, now) -> wanted.equals(task.headers().get(name));
	}

	private static BiPredicate<TaskInfo, Instant> older(Duration age) {
		return (task, now) -> {
			Instant time = time(task);
			return time != null && !time.isAfter(now.minus(age));
		};
	}

	private static BiPredicate<TaskInfo, Instant> newer(Duration age) {
		return (task, now) -> {
			Instant time = time(task);
			return time != null && !time.isBefore(now.minus(age));
		};
	}

	private static @Nullable Instant time(TaskInfo task) {
		Instant failed = task.lastFailedAt();
		Instant completed = task.completedAt();
		return (failed != null) ? failed : (completed != null) ? completed : task.nextProcessAt();
	}

	private static Duration age(Word word) {
		String text = word.value();
		try {
			if (text.matches("\\d{1,6}d")) {
				return Duration.ofDays(Long.parseLong(text.substring(0, text.length() - 1)));
			}
			Duration age = text.startsWith("P") ? Duration.parse(text) : GoDuration.parse(text);
			if (!age.isNegative() && age.toDays() < 1_000_000) {
				return age;
			}
		}
		catch (RuntimeException ex) {
			// Told below
		}
		throw new TaskFilterException(
				"A filter's '" + word.key() + ":' must be how long ago, such as 30m, 6h or 7d, but is '" + text + "'");
	}

	/**
	 * A word of a filter.
	 */
	private record Word(String key, String value) {

		static List<Word> split(String text) {
			List<Word> words = new ArrayList<>();
			int at = 0;
			while (at < text.length()) {
				if (Character.isWhitespace(text.charAt(at))) {
					at++;
					continue;
				}
				int colon = at;
				while (colon < text.length() && Character.isLetter(text.charAt(colon))) {
					colon++;
				}
				if (colon == at || colon == text.length() || text.charAt(colon) != ':') {
					throw new TaskFilterException("A filter's words begin with " + KEYS + ", but '" + rest(text, at)
							+ "' does not; a value with blanks stands in double quotes");
				}
				StringBuilder value = new StringBuilder();
				int end = readValue(text, colon + 1, value);
				if (value.isEmpty()) {
					throw new TaskFilterException(
							"A filter's '" + text.substring(at, colon) + ":' has no value; write one behind the colon");
				}
				words.add(new Word(text.substring(at, colon), value.toString()));
				at = end;
			}
			return words;
		}

		/** Quotes may begin anywhere in a value, as in {@code header:name="a b"}. */
		private static int readValue(String text, int from, StringBuilder value) {
			boolean quoted = false;
			int at = from;
			while (at < text.length() && (quoted || !Character.isWhitespace(text.charAt(at)))) {
				char next = text.charAt(at);
				if (next == '"') {
					quoted = !quoted;
				}
				else if (quoted && next == '\\' && at + 1 < text.length() && "\"\\".indexOf(text.charAt(at + 1)) >= 0) {
					at++;
					value.append(text.charAt(at));
				}
				else {
					value.append(next);
				}
				at++;
			}
			if (quoted) {
				throw new TaskFilterException("A filter's quote is not closed: '" + rest(text, from) + "'");
			}
			return at;
		}

		private static String rest(String text, int from) {
			return (text.length() - from > 60) ? text.substring(from, from + 60) + "…" : text.substring(from);
		}

	}

}
