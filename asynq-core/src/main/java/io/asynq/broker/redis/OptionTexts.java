package io.asynq.broker.redis;

import java.time.DateTimeException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.asynq.AsynqException;
import io.asynq.TaskOptions;

/**
 * Options of periodic tasks as Go writes them (protocol 3.6). What cannot be read is left
 * out: it may be of a newer asynq.
 */
final class OptionTexts {

	/** A JSON array of two texts. */
	private static final Pattern HEADER = Pattern.compile("\\[(\"(?:[^\"\\\\]|\\\\.)*\"),(\"(?:[^\"\\\\]|\\\\.)*\")]");

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

	private static void header(TaskOptions.Builder options, String value) {
		Matcher header = HEADER.matcher(value);
		if (header.matches()) {
			options.header(GoText.unquote(header.group(1)), GoText.unquote(header.group(2)));
		}
	}

}
