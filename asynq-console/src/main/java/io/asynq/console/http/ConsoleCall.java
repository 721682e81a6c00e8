package io.asynq.console.http;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.asynq.console.ConsoleRight;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a GET, or the fields of a POST's body; empty texts count as missing.
 */
public final class ConsoleCall {

	private final Map<String, ?> values;

	private final ConsoleCaller caller;

	public ConsoleCall(Map<String, ?> values, ConsoleCaller caller) {
		this.values = values;
		this.caller = caller;
	}

	public ConsoleCaller caller() {
		return this.caller;
	}

	public String queue() {
		return required("q");
	}

	public boolean has(String name) {
		Object value = this.values.get(name);
		return value != null && !"".equals(value);
	}

	public @Nullable String text(String name) {
		Object value = this.values.get(name);
		if (value == null || "".equals(value)) {
			return null;
		}
		if (value instanceof List<?> || value instanceof Map<?, ?>) {
			throw invalid(name, "a text");
		}
		return value.toString();
	}

	public String required(String name) {
		String value = text(name);
		if (value == null) {
			throw new ConsoleException(400, "parameter", "Parameter '" + name + "' is missing");
		}
		return value;
	}

	public @Nullable Long number(String name) {
		String value = text(name);
		try {
			return (value != null) ? Long.valueOf(value) : null;
		}
		catch (NumberFormatException ex) {
			throw invalid(name, "a whole number");
		}
	}

	public int integer(String name, int defaultValue, int least, int most) {
		Long value = number(name);
		if (value == null) {
			return defaultValue;
		}
		if (value < least || value > most) {
			throw invalid(name, "from " + least + " to " + most);
		}
		return value.intValue();
	}

	public boolean flag(String name) {
		String value = text(name);
		if (value == null || value.equals("false")) {
			return false;
		}
		if (!value.equals("true")) {
			throw invalid(name, "true or false");
		}
		return true;
	}

	public List<String> texts(String name) {
		Object value = this.values.get(name);
		if (value instanceof List<?> list) {
			if (!list.stream().allMatch(String.class::isInstance)) {
				throw invalid(name, "a list of texts");
			}
			return list.stream().map(String.class::cast).toList();
		}
		String text = text(name);
		return (text != null) ? List.of(text) : List.of();
	}

	public Map<String, String> fields(String name) {
		Object value = this.values.get(name);
		if (value == null) {
			return Map.of();
		}
		if (!(value instanceof Map<?, ?> object)) {
			throw invalid(name, "an object");
		}
		Map<String, String> fields = new LinkedHashMap<>();
		object.forEach((key, field) -> {
			if (field == null || field instanceof List<?> || field instanceof Map<?, ?>) {
				throw invalid(name + "." + key, "a text");
			}
			fields.put(key.toString(), field.toString());
		});
		return fields;
	}

	/** Returns the objects of a list, each like a call; missing is empty. */
	public List<ConsoleCall> parts(String name) {
		Object value = this.values.get(name);
		if (value == null) {
			return List.of();
		}
		if (!(value instanceof List<?> list) || !list.stream().allMatch(Map.class::isInstance)) {
			throw invalid(name, "a list of objects");
		}
		return list.stream().map((part) -> {
			Map<String, Object> fields = new LinkedHashMap<>();
			((Map<?, ?>) part).forEach((key, field) -> fields.put(key.toString(), field));
			return new ConsoleCall(fields, this.caller);
		}).toList();
	}

	public void require(ConsoleRight right, @Nullable String queue) {
		if (!this.caller.may(right, queue)) {
			throw new ConsoleException(403, "forbidden",
					"You may not do this" + ((queue != null) ? " with queue '" + queue + "'" : "")
							+ ": it needs the right '" + right.name().toLowerCase(Locale.ROOT) + "'");
		}
	}

	public ConsoleException invalid(String name, String must) {
		return new ConsoleException(400, "parameter",
				"Parameter '" + name + "' must be " + must + ", but is '" + this.values.get(name) + "'");
	}

	Map<String, ?> values() {
		return this.values;
	}

}
