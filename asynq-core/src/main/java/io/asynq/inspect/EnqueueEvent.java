package io.asynq.inspect;

import java.time.Instant;

/**
 * A task that a scheduler has enqueued, and when.
 */
public record EnqueueEvent(String taskId, Instant enqueuedAt) {
}
