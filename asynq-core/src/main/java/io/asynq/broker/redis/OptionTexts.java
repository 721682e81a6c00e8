package io.asynq.broker.redis;

import java.time.DateTimeException;
import java.util.List;

import io.asynq.AsynqException;
import io.asynq.TaskOptions;

/**
 * Options of periodic tasks as Go writes them (protocol 3.6). What cannot be read is left
 * out: it may be of a newer asynq.
 */
final class OptionTexts {

	private OptionTexts() {
	}

	static TaskOptions parse(List<String> texts) {
		TaskOptions.Builder options = TaskOptions.builder();
		for (String text : texts) {
			int open = text.indexOf('(');
			if (open > 0 && text.endsWith(")")) {
				try {
					apply(options, text.substring(0, open), text.substring(open + 1, text.length() - 1));
				}
				catch (IllegalArgumentException | ArithmeticException | DateTimeException | AsynqException ex) {
					// The text itself is shown as well
				}
			}
		}
		return options.build();
	}

	private static void apply(TaskOptions.Builder options, String name, String value) {
		switch (name) {
			case "MaxRetry" -> options.maxRetry(Integer.parseInt(value));
			case "Queue" -> options.queue(GoText.unquote(value));
			case "TaskID" -> options.taskId(GoText.unquote(value));
			case "Group" -> options.group(GoText.unquote(value));
			case "Timeout" -> options.timeout(GoText.duration(value));
			case "Unique" -> options.unique(GoText.duration(value));
			case "Retention" -> options.retention(GoText.duration(value));
			case "ProcessIn" -> options.processIn(GoText.duration(value));
			case "ProcessAt" -> options.processAt(GoText.time(value));
			case "Deadline" -> options.deadline(GoText.time(value));
			case "Header" -> header(options, value);
			default -> {
				// Unknown: left out
			}
		}
	}

	/**
	 * Reads a JSON array of two texts. By hand, because an expression that repeats a
	 * choice takes a piece of the stack for each character, and headers may be long.
	 */
	private static void header(TaskOptions.Builder options, String value) {
		int name = endOfText(value, 1);
		int end = (name > 0 && value.startsWith(",", name)) ? endOfText(value, name + 1) : -1;
		if (value.startsWith("[") && end > 0 && value.substring(end).equals("]")) {
			options.header(GoText.unquote(value.substring(1, name)), GoText.unquote(value.substring(name + 1, end)));
		}
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
