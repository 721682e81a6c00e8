package io.asynq.console.view;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.asynq.TaskInfo;
import io.asynq.console.PayloadContent;
import io.asynq.console.TaskPayloadFormatter;
import io.asynq.console.TaskPayloadSanitizer;
import io.asynq.console.http.ConsoleCaller;
import io.asynq.internal.text.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Payloads and results as they may be shown: cleaned first, then formatted.
 */
final class Payloads {

	private static final Logger logger = OneLineLogger.of(Payloads.class);

	private static final String HIDDEN = "******";

	private static final int LONGEST_ERROR = 2000;

	private final List<TaskPayloadSanitizer> sanitizers;

	private final List<TaskPayloadFormatter> formatters;

	public Payloads(List<TaskPayloadSanitizer> sanitizers, List<TaskPayloadFormatter> formatters) {
		this.sanitizers = List.copyOf(sanitizers);
		this.formatters = List.copyOf(formatters);
	}

	TaskLine line(TaskInfo task, ConsoleCaller viewer) {
		return line(task, viewer, null);
	}

	TaskLine line(TaskInfo task, ConsoleCaller viewer, @Nullable Worker at) {
		boolean shown = viewer.showsPayloads(task.queue());
		byte[] payload = task.payload();
		String preview = null;
		if (shown && payload != null) {
			byte[] clean = clean(task, PayloadContent.Part.PAYLOAD);
			preview = (clean != null) ? PayloadText.preview(clean) : null;
		}
		return new TaskLine(task.id(), task.queue(), task.type(), task.state(), task.retried(), task.maxRetry(),
				cut(task.lastError()), task.lastFailedAt(), task.nextProcessAt(), task.pendingSince(), task.waitsFor(),
				task.completedAt(), task.group(), task.orphaned(), (at != null) ? at.startedAt() : null,
				(at != null) ? at.deadline() : null, (at != null) ? at.server() : null, preview,
				(payload != null) ? payload.length : 0, headers(task, shown));
	}

	static Map<String, @Nullable String> headers(TaskInfo task, boolean shown) {
		if (shown) {
			return new LinkedHashMap<>(task.headers());
		}
		Map<String, @Nullable String> hidden = new LinkedHashMap<>();
		task.headers().keySet().forEach((name) -> hidden.put(name, HIDDEN));
		return hidden;
	}

	byte @Nullable [] clean(TaskInfo task, PayloadContent.Part part) {
		byte[] bytes = (part == PayloadContent.Part.PAYLOAD) ? task.payload() : task.result();
		if (bytes == null) {
			return null;
		}
		PayloadContent content = content(task, part, bytes);
		try {
			for (TaskPayloadSanitizer sanitizer : this.sanitizers) {
				content = content.withBytes(sanitizer.sanitize(content));
			}
			return content.bytes();
		}
		catch (RuntimeException ex) {
			logger.warn("A sanitizer of payloads failed, so nothing of a task of type {} is shown: {}", task.type(),
					ex.toString());
			logger.debug("A sanitizer of payloads failed for task {}", task.id(), ex);
			return null;
		}
	}

	@Nullable Shown show(TaskInfo task, PayloadContent.Part part, ConsoleCaller viewer) {
		byte[] bytes = (part == PayloadContent.Part.PAYLOAD) ? task.payload() : task.result();
		if (bytes == null || bytes.length == 0) {
			return (part == PayloadContent.Part.PAYLOAD) ? new Shown(true, null, "text", "", 0, false, false) : null;
		}
		if (!viewer.showsPayloads(task.queue())) {
			return Shown.hidden("hidden", bytes.length);
		}
		byte[] clean = clean(task, part);
		if (clean == null) {
			return Shown.hidden("sanitizer-failed", bytes.length);
		}
		boolean sanitized = !Arrays.equals(clean, bytes);
		String formatted = format(content(task, part, clean));
		if (formatted != null) {
			boolean truncated = formatted.length() > PayloadText.MOST;
			return new Shown(true, null, "formatted",
					truncated ? formatted.substring(0, whole(formatted, PayloadText.MOST)) : formatted, bytes.length,
					truncated, sanitized);
		}
		PayloadText text = PayloadText.of(clean);
		return new Shown(true, null, text.format(), text.text(), bytes.length, text.truncated(), sanitized);
	}

	private @Nullable String format(PayloadContent content) {
		for (TaskPayloadFormatter formatter : this.formatters) {
			try {
				String text = formatter.format(content);
				if (text != null) {
					return text;
				}
			}
			catch (RuntimeException ex) {
				logger.warn("A formatter of payloads failed for a task of type {}: {}", content.type(), ex.toString());
				logger.debug("A formatter of payloads failed for task {}", content.taskId(), ex);
			}
		}
		return null;
	}

	private static PayloadContent content(TaskInfo task, PayloadContent.Part part, byte[] bytes) {
		return new PayloadContent(task.queue(), task.type(), task.id(), part, new LinkedHashMap<>(task.headers()),
				bytes);
	}

	static @Nullable String cut(@Nullable String error) {
		return (error != null && error.length() > LONGEST_ERROR) ? error.substring(0, whole(error, LONGEST_ERROR)) + "…"
				: error;
	}

	/** Does not cut a character in two. */
	private static int whole(String text, int end) {
		return Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end;
	}

	public record Shown(boolean shown, @Nullable String reason, @Nullable String format, @Nullable String text,
			int size, boolean truncated, boolean sanitized) {

		static Shown hidden(String reason, int size) {
			return new Shown(false, reason, null, null, size, false, false);
		}

	}

}
