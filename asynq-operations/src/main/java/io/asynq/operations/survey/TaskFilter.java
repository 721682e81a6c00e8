package io.asynq.operations.survey;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;

import io.asynq.TaskInfo;
import io.asynq.internal.text.GoDuration;
import org.jspecify.annotations.Nullable;

/**
 * Which tasks are meant, as people write it:
 * {@code type:mail:send error:"connection reset" older:30m}; all words must hold.
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

	public static TaskFilter all() {
		return ALL;
	}

	public boolean isAll() {
		return this.conditions.isEmpty();
	}

	/** Not everybody may see payloads and headers. */
	public boolean asksPayload() {
		return this.asksPayload;
	}

	public boolean passes(TaskInfo task, Instant now) {
		return this.conditions.stream().allMatch((condition) -> condition.test(task, now));
	}

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
