package io.asynq.interop.peer;

import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What a handler saw of its task.
 *
 * @param taskId the task's id
 * @param type its type
 * @param queue its queue
 * @param payload its payload, {@code null} for none
 * @param headers its headers
 * @param retried retries before this attempt
 * @param maxRetry the largest number of retries
 * @param deadline when the attempt ends, in seconds
 */
public record Attempt(String taskId, String type, String queue, @Nullable String payload, Map<String, String> headers,
		int retried, int maxRetry, @Nullable Instant deadline) {
}
