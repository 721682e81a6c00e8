package io.asynq.event;

import org.jspecify.annotations.Nullable;

/**
 * An attempt has failed, and counts as failed. Another event says what follows.
 *
 * @param error the text that is stored with the task
 * @param cause what the handler has thrown, {@code null} if the attempt was another
 * server's, which is gone
 */
public record TaskFailedEvent(TaskFacts facts, String error, @Nullable Throwable cause) implements TaskEvent {
}
