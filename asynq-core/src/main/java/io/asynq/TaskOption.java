package io.asynq;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;

import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * The options of a task, for everything that reads or writes them by name: annotations,
 * properties, scheduler entries, the option texts of Go's tools. What an option means and
 * which values it takes is documented at its method in {@link TaskOptions.Builder}.
 */
public enum TaskOption {

	QUEUE("queue", "Queue", Kind.TEXT, Place.TYPE, TaskOptions.Builder::queue),

	MAX_RETRY("maxRetry", "MaxRetry", Kind.NUMBER, Place.TYPE, TaskOptions.Builder::maxRetry),

	TASK_ID("taskId", "TaskID", Kind.TEXT, Place.PERIODIC_TASK, TaskOptions.Builder::taskId),

	TIMEOUT("timeout", "Timeout", Kind.DURATION, Place.TYPE, TaskOptions.Builder::timeout),

	DEADLINE("deadline", "Deadline", Kind.TIME, Place.CALL, TaskOptions.Builder::deadline),

	UNIQUE("unique", "Unique", Kind.DURATION, Place.TYPE, TaskOptions.Builder::unique),

	UNIQUE_KEY("uniqueKey", "UniqueKey", Kind.TEXT, Place.PERIODIC_TASK, TaskOptions.Builder::uniqueKey),

	REPLACE_ARCHIVED("replaceArchived", "ReplaceArchived", Kind.FLAG, Place.PERIODIC_TASK,
			TaskOptions.Builder::replaceArchived),

	PROCESS_AT("processAt", "ProcessAt", Kind.TIME, Place.CALL, TaskOptions.Builder::processAt),

	PROCESS_IN("processIn", "ProcessIn", Kind.DURATION, Place.PERIODIC_TASK, TaskOptions.Builder::processIn),

	RETENTION("retention", "Retention", Kind.DURATION, Place.TYPE, TaskOptions.Builder::retention),

	GROUP("group", "Group", Kind.TEXT, Place.PERIODIC_TASK, TaskOptions.Builder::group),

	HEADERS("headers", "Header", Kind.HEADERS, Place.PERIODIC_TASK, TaskOptions.Builder::headers);

	private final String key;

	private final String goName;

	private final Kind kind;

	private final Place place;

	private final BiConsumer<TaskOptions.Builder, Object> setter;

	@SuppressWarnings("unchecked")
	<T> TaskOption(String key, String goName, Kind kind, Place place, BiConsumer<TaskOptions.Builder, T> setter) {
		this.key = key;
		this.goName = goName;
		this.kind = kind;
		this.place = place;
		this.setter = (BiConsumer<TaskOptions.Builder, Object>) setter;
	}

	/**
	 * Returns the name in Java and in annotations, such as {@code maxRetry}.
	 */
	public String key() {
		return this.key;
	}

	/**
	 * Returns the name in properties, such as {@code max-retry}.
	 */
	public String propertyName() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	/**
	 * Returns the name in the texts of Go's tools, such as {@code MaxRetry}.
	 */
	public String goName() {
		return this.goName;
	}

	/**
	 * Returns which values the option takes.
	 */
	public Kind kind() {
		return this.kind;
	}

	/**
	 * Returns whether annotations and properties may set it for all tasks of a type.
	 */
	public boolean isForTypes() {
		return this.place == Place.TYPE;
	}

	/**
	 * Returns whether annotations and properties may set it for all tasks of a periodic
	 * task. A fixed time may not: it would have passed at the second fire.
	 */
	public boolean isForPeriodicTasks() {
		return this.place != Place.CALL;
	}

	/**
	 * Parses a value as it is written in an annotation.
	 * @param text text, a number, {@code true} or {@code false}, a duration like
	 * {@code 30s} or {@code PT5M}, a time like {@code 2026-01-31T08:00:00Z}, or one
	 * header as {@code name=value}
	 * @throws IllegalArgumentException if the text is not valid; the message continues
	 * the option's name: {@code must be a whole number}
	 */
	public Object parse(String text) {
		try {
			return switch (this.kind) {
				case TEXT -> text;
				case NUMBER -> Integer.valueOf(text);
				case FLAG -> flag(text);
				case DURATION -> DurationFormatterUtils.detectAndParse(text);
				case TIME -> Instant.parse(text);
				case HEADERS -> header(text);
			};
		}
		catch (IllegalArgumentException | DateTimeException ex) {
			throw new IllegalArgumentException("must be " + this.kind.form, ex);
		}
	}

	/**
	 * Sets the option.
	 * @throws InvalidTaskException if the value is not valid
	 * @throws ClassCastException if it is of another {@link #kind() kind}
	 */
	public void set(TaskOptions.Builder options, Object value) {
		this.setter.accept(options, value);
	}

	private static boolean flag(String text) {
		if (!text.equals("true") && !text.equals("false")) {
			throw new IllegalArgumentException("Neither true nor false");
		}
		return text.equals("true");
	}

	private static Map<String, String> header(String text) {
		int end = text.indexOf('=');
		if (end < 1) {
			throw new IllegalArgumentException("No name");
		}
		return Map.of(text.substring(0, end), text.substring(end + 1));
	}

	/**
	 * What values of an option are.
	 */
	public enum Kind {

		/** A {@link String}. */
		TEXT("text"),

		/** An {@link Integer}. */
		NUMBER("a whole number"),

		/** A {@link Boolean}. */
		FLAG("true or false"),

		/** A {@link java.time.Duration}. */
		DURATION("a duration like 30s or PT5M"),

		/** An {@link Instant}. */
		TIME("a time like 2026-01-31T08:00:00Z"),

		/** A {@link Map} of text by name. */
		HEADERS("written as name=value");

		private final String form;

		Kind(String form) {
			this.form = form;
		}

	}

	/**
	 * Where an option may be set, each place including those before it.
	 */
	private enum Place {

		/** By code that enqueues a task. */
		CALL,

		/** For all tasks of a periodic task. */
		PERIODIC_TASK,

		/** For all tasks of a type, which must not conflict with each other. */
		TYPE

	}

}
