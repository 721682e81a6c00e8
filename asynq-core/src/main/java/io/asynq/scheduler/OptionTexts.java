package io.asynq.scheduler;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.asynq.TaskOptions;
import org.jspecify.annotations.Nullable;

/**
 * Options in the words of Go's tools (protocol 3.6), which need a parenthesis in each.
 */
final class OptionTexts {

	/** Go's time.UnixDate. */
	private static final DateTimeFormatter UNIX_DATE = DateTimeFormatter
		.ofPattern("EEE MMM ppd HH:mm:ss 'UTC' yyyy", Locale.ENGLISH)
		.withZone(ZoneOffset.UTC);

	private final List<String> texts = new ArrayList<>();

	private OptionTexts() {
	}

	static List<String> of(TaskOptions options) {
		OptionTexts texts = new OptionTexts();
		texts.add("Queue", quote(options.queue()));
		texts.add("MaxRetry", options.maxRetry());
		texts.add("TaskID", quote(options.taskId()));
		texts.add("Timeout", duration(options.timeout()));
		texts.add("Deadline", date(options.deadline()));
		texts.add("Unique", duration(options.uniqueTtl()));
		texts.add("ProcessAt", date(options.processAt()));
		texts.add("ProcessIn", duration(options.processIn()));
		texts.add("Retention", duration(options.retention()));
		texts.add("Group", quote(options.group()));
		options.headers()
			.entrySet()
			.stream()
			.sorted(Map.Entry.comparingByKey())
			.forEach(
					(header) -> texts.add("Header", "[" + json(header.getKey()) + "," + json(header.getValue()) + "]"));
		return List.copyOf(texts.texts);
	}

	/**
	 * Writes text as a Go program would.
	 * @param text the text
	 * @return the text in quotation marks
	 */
	static @Nullable String quote(@Nullable String text) {
		if (text == null) {
			return null;
		}
		StringBuilder quoted = new StringBuilder("\"");
		text.codePoints().forEach((point) -> quoted.append(escaped(point)));
		return quoted.append('"').toString();
	}

	private void add(String name, @Nullable Object value) {
		if (value != null) {
			this.texts.add(name + "(" + value + ")");
		}
	}

	private static @Nullable String duration(@Nullable Duration duration) {
		return (duration != null) ? GoDuration.format(duration) : null;
	}

	private static @Nullable String date(@Nullable Instant instant) {
		return (instant != null) ? UNIX_DATE.format(instant) : null;
	}

	private static String escaped(int point) {
		return switch (point) {
			case '"' -> "\\\"";
			case '\\' -> "\\\\";
			case 0x07 -> "\\a";
			case '\b' -> "\\b";
			case '\f' -> "\\f";
			case '\n' -> "\\n";
			case '\r' -> "\\r";
			case '\t' -> "\\t";
			case 0x0B -> "\\v";
			default -> isPrintable(point) ? Character.toString(point)
					: (point < ' ' || point == 0x7F) ? String.format("\\x%02x", point)
							: (point < 0x10000) ? String.format("\\u%04x", point) : String.format("\\U%08x", point);
		};
	}

	private static String json(String text) {
		StringBuilder quoted = new StringBuilder("\"");
		text.codePoints().forEach((point) -> {
			if (point == '"' || point == '\\') {
				quoted.append('\\').appendCodePoint(point);
			}
			else if (point < ' ') {
				quoted.append(String.format("\\u%04x", point));
			}
			else {
				quoted.appendCodePoint(point);
			}
		});
		return quoted.append('"').toString();
	}

	private static boolean isPrintable(int point) {
		return switch (Character.getType(point)) {
			case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.PRIVATE_USE, Character.UNASSIGNED,
					Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
				false;
			case Character.SPACE_SEPARATOR -> point == ' ';
			default -> true;
		};
	}

}
