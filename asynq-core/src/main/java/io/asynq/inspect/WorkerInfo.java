package io.asynq.inspect;

import java.time.Instant;

import io.asynq.Task;

/**
 * A task that a server is processing, as the server reports it.
 *
 * @param task type and payload; Java servers leave out a payload above 64 KiB
 * @param startedAt when the attempt was started
 * @param deadline when it must have ended
 */
public record WorkerInfo(String taskId, Task task, String queue, Instant startedAt, Instant deadline) {
}
