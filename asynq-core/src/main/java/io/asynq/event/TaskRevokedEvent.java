package io.asynq.event;

import org.jspecify.annotations.Nullable;

/**
 * A handler has revoked its task: it is done and did not fail.
 *
 * @param facts the task
 * @param cause what the handler has thrown
 */
public record TaskRevokedEvent(TaskFacts facts, @Nullable Throwable cause) implements TaskEvent {
}
