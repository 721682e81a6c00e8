package io.asynq.broker;

import java.time.Instant;

import io.asynq.Task;

/**
 * A task that a server is working on, as the server tells (asynq O18).
 *
 * @param taskId the task's id
 * @param task type and payload; a payload above 64 KiB is left out by servers on the JVM
 * @param queue its queue
 * @param startedAt since when
 * @param deadline until when
 */
public record WorkerInfo(String taskId, Task task, String queue, Instant startedAt, Instant deadline) {
}
