package io.asynq.info;

import java.time.Instant;

/**
 * One task that a scheduler has enqueued.
 *
 * @param taskId the task's id
 * @param enqueuedAt when it was enqueued
 */
public record EnqueueEvent(String taskId, Instant enqueuedAt) {
}
