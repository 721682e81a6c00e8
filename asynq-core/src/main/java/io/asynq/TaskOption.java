package io.asynq;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;

import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * The options of a task. Everything that reads or writes options by name uses this list:
 * annotations, properties, scheduler entries, the option texts of Go's tools. What an
 * option means and which values it takes is documented at its method in
 * {@link TaskOptions.Builder}.
 */
public enum TaskOption {

	/** {@link TaskOptions.Builder#queue}. */
	QUEUE("queue", "Queue", Kind.TEXT, Place.TYPE, TaskOptions.Builder::queue),

	/** {@link TaskOptions.Builder#maxRetry}. */
	MAX_RETRY("maxRetry", "MaxRetry", Kind.NUMBER, Place.TYPE, TaskOptions.Builder::maxRetry),

	/** {@link TaskOptions.Builder#taskId}. */
	TASK_ID("taskId", "TaskID", Kind.TEXT, Place.PERIODIC_TASK, TaskOptions.Builder::taskId),

	/** {@link TaskOptions.Builder#timeout}. */
	TIMEOUT("timeout", "Timeout", Kind.DURATION, Place.TYPE, TaskOptions.Builder::timeout),

	/** {@link TaskOptions.Builder#deadline}. */
	DEADLINE("deadline", "Deadline", Kind.TIME, Place.CALL, TaskOptions.Builder::deadline),

	/** {@link TaskOptions.Builder#unique}. */
	UNIQUE("unique", "Unique", Kind.DURATION, Place.TYPE, TaskOptions.Builder::unique),

	/** {@link TaskOptions.Builder#uniqueKey}. */
	UNIQUE_KEY("uniqueKey", "UniqueKey", Kind.TEXT, Place.PERIODIC_TASK, TaskOptions.Builder::uniqueKey),

	/** {@link TaskOptions.Builder#replaceArchived}. */
	REPLACE_ARCHIVED("replaceArchived", "ReplaceArchived", Kind.FLAG, Place.PERIODIC_TASK,
			TaskOptions.Builder::replaceArchived),

	/** {@link TaskOptions.Builder#processAt}. */
	PROCESS_AT("processAt", "ProcessAt", Kind.TIME, Place.CALL, TaskOptions.Builder::processAt),

	/** {@link TaskOptions.Builder#processIn}. */
	PROCESS_IN("processIn", "ProcessIn", Kind.DURATION, Place.PERIODIC_TASK, TaskOptions.Builder::processIn),

	/** {@link TaskOptions.Builder#retention}. */
	RETENTION("retention", "Retention", Kind.DURATION, Place.TYPE, TaskOptions.Builder::retention),

	/** {@link TaskOptions.Builder#group}. */
	GROUP("group", "Group", Kind.TEXT, Place.PERIODIC_TASK, TaskOptions.Builder::group),

	/** {@link TaskOptions.Builder#headers}. */
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
	 * Returns the option's name in Java, which is also that of the annotations'
	 * attributes.
	 * @return such as {@code maxRetry}
	 */
	public String key() {
		return this.key;
	}

	/**
	 * Returns the option's name in properties.
	 * @return such as {@code max-retry}
	 */
	public String propertyName() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	/**
	 * Returns the option's name in the texts of Go's tools.
	 * @return such as {@code MaxRetry}
	 */
	public String goName() {
		return this.goName;
	}

	/**
	 * Returns which values the option takes.
	 * @return the kind
	 */
	public Kind kind() {
		return this.kind;
	}

	/**
	 * Returns whether annotations and properties may set it for all tasks of a type.
	 * @return whether it may be a default
	 */
	public boolean isForTypes() {
		return this.place == Place.TYPE;
	}

	/**
	 * Returns whether annotations and properties may set it for all tasks of a periodic
	 * task. A fixed time cannot be set there: it would have passed at the second fire.
	 * @return whether it may be set in a scheduler entry
	 */
	public boolean isForPeriodicTasks() {
		return this.place != Place.CALL;
	}

	/**
	 * Parses a value as it is written in an annotation.
	 * @param text text, a number, {@code true} or {@code false}, a duration like
	 * {@code 30s} or {@code PT5M}, a time like {@code 2026-01-31T08:00:00Z}, or one
	 * header as {@code name=value}
	 * @return the value
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
	 * @param options the builder
	 * @param value a value of its kind
	 * @throws InvalidTaskException if the value is not valid
	 * @throws ClassCastException if it is of another kind
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
	 * Kinds of values.
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
