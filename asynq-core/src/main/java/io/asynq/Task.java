package io.asynq;

import java.nio.charset.StandardCharsets;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Work to be done: a type, a payload and headers (asynq A01–A05), with options that are
 * its defaults when it is enqueued. Immutable but for the payload's bytes, which are not
 * copied.
 */
public final class Task {

	private final String type;

	private final byte @Nullable [] payload;

	private final Map<String, String> headers;

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
	 * @param payload the bytes, {@code null} for none; a unique lock tells none from
	 * empty
	 * @return the task
	 */
	public static Task of(String type, byte @Nullable [] payload) {
		return new Task(type, payload, Map.of(), TaskOptions.none());
	}

	/**
	 * Creates a task with text, encoded in UTF-8.
	 * @param type the type's name; a blank one is refused when the task is enqueued
	 * @param payload the text
	 * @return the task
	 */
	public static Task of(String type, String payload) {
		return of(type, payload.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Returns this task with other headers.
	 * @param headers names and values, copied
	 * @return a new task
	 */
	public Task withHeaders(Map<String, String> headers) {
		return new Task(this.type, this.payload, Map.copyOf(headers), this.options);
	}

	/**
	 * Returns this task with other default options.
	 * @param options the options
	 * @return a new task
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
