package io.asynq.broker;

import java.time.Instant;

/**
 * One task a server is working on (asynq G09).
 *
 * @param message the task
 * @param startedAt since when
 * @param deadline until when
 */
public record WorkerSnapshot(TaskMessage message, Instant startedAt, Instant deadline) {
}
