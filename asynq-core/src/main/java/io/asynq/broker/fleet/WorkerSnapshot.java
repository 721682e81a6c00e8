package io.asynq.broker.fleet;

import java.time.Instant;

import io.asynq.broker.message.TaskMessage;

/**
 * One task that a server is working on.
 *
 * @param startedAt since when
 * @param deadline until when
 */
public record WorkerSnapshot(TaskMessage message, Instant startedAt, Instant deadline) {
}
