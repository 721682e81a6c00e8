package io.asynq;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonIgnore;
import org.jspecify.annotations.Nullable;

/**
 * A unit of work: type, payload and headers, and options that apply unless the call that
 * enqueues it overrides them. Immutable, except that the bytes of the payload are not
 * copied. As JSON: {@code type}, {@code payload} in Base64, {@code headers}.
 */
@JsonAutoDetect(fieldVisibility = Visibility.ANY)
public final class Task {

	private final String type;

	private final byte @Nullable [] payload;

	private final Map<String, String> headers;

	@JsonIgnore
	private final TaskOptions options;

	private Task(String type, byte @Nullable [] payload, Map<String, String> headers, TaskOptions options) {
		this.type = type;
		this.payload = payload;
		this.headers = headers;
		this.options = options;
	}

	/**
	 * Creates a task.
	 * @param type the type's name; a blank one is refused when the task is enqueued
	 * @param payload the bytes, {@code null} for none; a unique lock distinguishes no
	 * payload from an empty one
	 */
	public static Task of(String type, byte @Nullable [] payload) {
		return new Task(type, payload, Map.of(), TaskOptions.none());
	}

	/**
	 * Creates a task with text, encoded in UTF-8.
	 * @param type the type's name; a blank one is refused when the task is enqueued
	 */
	public static Task of(String type, String payload) {
		return of(type, payload.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Returns a task with a copy of these headers instead; those whose value is
	 * {@code null} are left out.
	 */
	public Task withHeaders(Map<String, @Nullable String> headers) {
		Map<String, @Nullable String> present = headers;
		if (headers.values().stream().anyMatch(Objects::isNull)) {
			present = new HashMap<>(headers);
			present.values().removeIf(Objects::isNull);
		}
		return new Task(this.type, this.payload, Map.copyOf(present), this.options);
	}

	/**
	 * Returns a task with these default options instead.
	 */
	public Task withOptions(TaskOptions options) {
		return new Task(this.type, this.payload, this.headers, options);
	}

	public String type() {
		return this.type;
	}

	public byte @Nullable [] payload() {
		return this.payload;
	}

	public Map<String, String> headers() {
		return this.headers;
	}

	public TaskOptions options() {
		return this.options;
	}

	@Override
	public String toString() {
		return "Task[type=" + this.type + ", payload=" + ((this.payload != null) ? this.payload.length : 0) + " bytes]";
	}

}
