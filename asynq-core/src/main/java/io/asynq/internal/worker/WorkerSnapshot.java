package io.asynq.internal.worker;

import java.time.Instant;

import io.asynq.internal.redis.TaskMessage;

public record WorkerSnapshot(TaskMessage message, Instant startedAt, Instant deadline) {
}
