package io.asynq.broker;

import java.time.Instant;

/**
 * One task that a scheduler has enqueued (asynq O20).
 *
 * @param taskId the task's id
 * @param enqueuedAt when
 */
public record EnqueueEvent(String taskId, Instant enqueuedAt) {
}
