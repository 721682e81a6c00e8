package io.asynq.event;

import org.jspecify.annotations.Nullable;

/**
 * A handler has revoked its task, or somebody has cancelled it to have it deleted: it is
 * done and did not fail.
 *
 * @param cause what has ended the attempt, {@code null} if its server was gone
 */
public record TaskRevokedEvent(TaskFacts facts, @Nullable Throwable cause) implements TaskEvent {
}
