package io.asynq.internal.redis;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.asynq.AsynqException;
import io.asynq.TaskOption;
import io.asynq.TaskOptions;
import io.asynq.internal.text.GoDuration;
import io.asynq.internal.text.GoText;

/** Options as Go's tools write them; unknown ones may come from a newer asynq. */
public final class OptionTexts {

	private static final Pattern ESCAPED_IN_JSON = Pattern.compile("[\"\\\\\\x00-\\x1f]");

	private OptionTexts() {
	}

	public static List<String> of(TaskOptions options) {
		List<String> texts = new ArrayList<>();
		options.values().forEach((option, value) -> {
			if (option == TaskOption.HEADERS) {
				new TreeMap<>(options.headers())
					.forEach((name, text) -> texts.add(text(option, "[" + json(name) + "," + json(text) + "]")));
			}
			else {
				texts.add(text(option, format(value)));
			}
		});
		return texts;
	}

	public static TaskOptions parse(List<String> texts) {
		TaskOptions.Builder options = TaskOptions.builder();
		for (String text : texts) {
			for (TaskOption option : TaskOption.values()) {
				if (text.startsWith(option.goName() + "(") && text.endsWith(")")) {
					set(options, option, text.substring(option.goName().length() + 1, text.length() - 1));
				}
			}
		}
		return options.build();
	}

	private static String text(TaskOption option, String value) {
		// Go's tools expect a parenthesis in each
		return option.goName() + "(" + value + ")";
	}

	private static String format(Object value) {
		if (value instanceof String text) {
			return GoText.quote(text);
		}
		if (value instanceof Duration duration) {
			return GoDuration.format(duration);
		}
		return (value instanceof Instant time) ? GoText.date(time) : value.toString();
	}

	private static void set(TaskOptions.Builder options, TaskOption option, String value) {
		try {
			option.set(options, switch (option.kind()) {
				case TEXT -> GoText.unquote(value);
				case NUMBER -> Integer.valueOf(value);
				case FLAG -> option.parse(value);
				case DURATION -> GoDuration.parse(value);
				case TIME -> GoText.parseDate(value);
				case HEADERS -> header(value);
			});
		}
		catch (IllegalArgumentException | DateTimeException | AsynqException ex) {
			// The text itself is shown too
		}
	}

	private static String json(String text) {
		return '"' + ESCAPED_IN_JSON.matcher(text)
			.replaceAll((found) -> Matcher.quoteReplacement(escaped(found.group().charAt(0)))) + '"';
	}

	private static String escaped(char character) {
		return (character < ' ') ? String.format("\\u%04x", (int) character) : "\\" + character;
	}

	/** A regular expression would recurse for each character of long headers. */
	private static Map<String, String> header(String value) {
		int name = endOfText(value, 1);
		int end = (name > 0 && value.startsWith(",", name)) ? endOfText(value, name + 1) : -1;
		if (!value.startsWith("[") || end < 0 || !value.substring(end).equals("]")) {
			throw new IllegalArgumentException("No array of two texts");
		}
		return Map.of(GoText.unquote(value.substring(1, name)), GoText.unquote(value.substring(name + 1, end)));
	}

	private static int endOfText(String value, int start) {
		if (!value.startsWith("\"", start)) {
			return -1;
		}
		for (int i = start + 1; i < value.length(); i++) {
			if (value.charAt(i) == '"') {
				return i + 1;
			}
			i += (value.charAt(i) == '\\') ? 1 : 0;
		}
		return -1;
	}

}
