package io.asynq.console;

import org.jspecify.annotations.Nullable;

/**
 * Writes payloads or results that are neither JSON nor text for people, such as protocol
 * buffers. A bean is asked by the console, in the order of the beans, until one answers.
 * Must be safe for concurrent use. What it throws is logged, and the content is shown as
 * if the bean were not there.
 */
@FunctionalInterface
public interface TaskPayloadFormatter {

	/**
	 * Formats a content, which the {@link TaskPayloadSanitizer}s have seen already.
	 * @return a text, or {@code null} if this content is not for this formatter
	 */
	@Nullable String format(PayloadContent content);

}
