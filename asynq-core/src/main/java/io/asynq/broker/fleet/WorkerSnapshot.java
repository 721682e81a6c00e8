package io.asynq.broker.fleet;

import java.time.Instant;

import io.asynq.broker.message.TaskMessage;

public record WorkerSnapshot(TaskMessage message, Instant startedAt, Instant deadline) {
}
