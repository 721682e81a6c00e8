package io.asynq.spring.boot.autoconfigure.endpoint;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.asynq.AsynqException;
import io.asynq.CancelMode;
import io.asynq.TaskOption;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import io.asynq.inspect.RunOptions;
import io.asynq.operations.TaskSelection;
import io.asynq.operations.repair.Inconsistency;
import org.jspecify.annotations.Nullable;

/**
 * All are text, so that each mistake is answered in the same way: the actuator itself
 * would answer a number that is none in another.
 */
final class Parameters {

	private static final List<String> CONDITIONS = List.of("type", "error", "failedBefore", "failedWithin");

	private final Map<String, String> values = new LinkedHashMap<>();

	/**
	 * Creates parameters without those that are missing or empty.
	 * @param named names, each followed by its value
	 */
	Parameters(@Nullable String... named) {
		for (int i = 0; i < named.length; i += 2) {
			String value = named[i + 1];
			if (value != null && !value.isEmpty()) {
				this.values.put(String.valueOf(named[i]), value);
			}
		}
	}

	boolean has(String name) {
		return this.values.containsKey(name);
	}

	@Nullable String get(String name) {
		return this.values.get(name);
	}

	String required(String name) {
		String value = this.values.get(name);
		if (value == null) {
			throw new AsynqException("Parameter '" + name + "' is missing");
		}
		return value;
	}

	@Nullable Integer integer(String name) {
		Long value = number(name);
		if (value == null) {
			return null;
		}
		if (value.intValue() != value) {
			throw invalid(name, "a smaller number");
		}
		return value.intValue();
	}

	int integer(String name, int defaultValue) {
		Integer value = integer(name);
		return (value != null) ? value : defaultValue;
	}

	@Nullable Long number(String name) {
		String value = this.values.get(name);
		try {
			return (value != null) ? Long.valueOf(value) : null;
		}
		catch (NumberFormatException ex) {
			throw invalid(name, "a whole number");
		}
	}

	boolean flag(String name) {
		String value = this.values.getOrDefault(name, "false");
		if (!value.equals("true") && !value.equals("false")) {
			throw invalid(name, "true or false");
		}
		return value.equals("true");
	}

	CancelMode cancelMode() {
		String name = this.values.getOrDefault("mode", "retry");
		return Stream.of(CancelMode.values())
			.filter((mode) -> mode.name().toLowerCase(Locale.ROOT).equals(name))
			.findFirst()
			.orElseThrow(() -> invalid("mode", "retry, archive or delete"));
	}

	TaskSelection selection() {
		String name = required("state");
		TaskState state;
		try {
			state = TaskState.of(name);
		}
		catch (IllegalArgumentException ex) {
			throw invalid("state", "one of " + TaskState.stored().stream().map(TaskState::wireName).toList());
		}
		return new TaskSelection(required("queue"), state, get("group"), conditions());
	}

	void refuseConditions() {
		for (String name : CONDITIONS) {
			if (has(name)) {
				throw new AsynqException("Parameter '" + name
						+ "' chooses among the tasks of a 'state': leave it out, or 'id' and 'ids'");
			}
		}
	}

	/** An id with a comma is given as {@code id}. */
	List<String> ids() {
		return Stream.of(required("ids").split(",")).map(String::strip).filter((id) -> !id.isEmpty()).toList();
	}

	byte @Nullable [] payload() {
		String payload = get("payload");
		if (payload == null) {
			return null;
		}
		if (!"base64".equals(get("encoding"))) {
			return payload.getBytes(StandardCharsets.UTF_8);
		}
		try {
			return Base64.getDecoder().decode(payload);
		}
		catch (IllegalArgumentException ex) {
			throw invalid("payload", "Base64");
		}
	}

	/** Such as {@code maxRetry=3,processIn=10m}. */
	TaskOptions options() {
		TaskOptions.Builder options = TaskOptions.builder();
		set(options, TaskOption.QUEUE, get("queue"));
		for (String option : getOrEmpty("options").split(",")) {
			int end = option.indexOf('=');
			String name = option.substring(0, Math.max(0, end)).strip();
			if (!option.isBlank()) {
				set(options, option(name), option.substring(end + 1).strip());
			}
		}
		return options.build();
	}

	/** All kinds if none is named. */
	Set<Inconsistency.Kind> kinds() {
		Set<Inconsistency.Kind> kinds = EnumSet.noneOf(Inconsistency.Kind.class);
		for (String name : getOrEmpty("kinds").split(",")) {
			if (!name.isBlank()) {
				kinds.add(kind(name.strip()));
			}
		}
		return kinds.isEmpty() ? EnumSet.allOf(Inconsistency.Kind.class) : kinds;
	}

	private RunOptions conditions() {
		RunOptions options = RunOptions.defaults();
		String type = get("type");
		options = (type != null) ? options.type(type) : options;
		String error = get("error");
		options = (error != null) ? options.errorContaining(error) : options;
		Duration before = age("failedBefore");
		options = (before != null) ? options.failedBefore(before) : options;
		Duration within = age("failedWithin");
		return (within != null) ? options.failedWithin(within) : options;
	}

	private @Nullable Duration age(String name) {
		String text = get(name);
		if (text == null) {
			return null;
		}
		try {
			Duration age = (Duration) TaskOption.TIMEOUT.parse(text);
			if (!age.isNegative()) {
				return age;
			}
		}
		catch (IllegalArgumentException ex) {
			// Told below
		}
		throw invalid(name, "a duration like 30m or PT6H");
	}

	private static Inconsistency.Kind kind(String name) {
		return Stream.of(Inconsistency.Kind.values())
			.filter((kind) -> kind.name().equals(name.toUpperCase(Locale.ROOT).replace('-', '_')))
			.findFirst()
			.orElseThrow(() -> new AsynqException("Parameter 'kinds' must name some of "
					+ List.of(Inconsistency.Kind.values()) + ", but has '" + name + "'"));
	}

	private static TaskOption option(String name) {
		return Stream.of(TaskOption.values())
			.filter((option) -> option.key().equals(name))
			.findFirst()
			.orElseThrow(() -> new AsynqException("Parameter 'options' must be written as name=value,name=value, with"
					+ " names of " + Stream.of(TaskOption.values()).map(TaskOption::key).toList() + ", but has '" + name
					+ "'"));
	}

	private static void set(TaskOptions.Builder options, TaskOption option, @Nullable String text) {
		if (text == null) {
			return;
		}
		try {
			option.set(options, option.parse(text));
		}
		catch (IllegalArgumentException ex) {
			throw new AsynqException("Option '" + option.key() + "' " + ex.getMessage() + ", but is '" + text + "'");
		}
	}

	private String getOrEmpty(String name) {
		return this.values.getOrDefault(name, "");
	}

	private AsynqException invalid(String name, String form) {
		// A payload is not quoted
		return new AsynqException("Parameter '" + name + "' must be " + form
				+ (name.equals("payload") ? "" : ", but is '" + get(name) + "'"));
	}

}
