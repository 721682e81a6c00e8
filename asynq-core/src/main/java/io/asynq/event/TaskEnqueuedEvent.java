package io.asynq.event;

import java.time.Instant;

import io.asynq.TaskState;
import org.jspecify.annotations.Nullable;

/**
 * This application has stored a task: its client, or its scheduler for a periodic task.
 *
 * @param state pending, scheduled or aggregating
 * @param processAt when it may run, {@code null} if that depends on its group
 */
public record TaskEnqueuedEvent(TaskFacts facts, TaskState state, @Nullable Instant processAt) implements TaskEvent {
}
