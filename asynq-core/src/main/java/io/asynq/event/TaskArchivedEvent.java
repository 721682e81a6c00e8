package io.asynq.event;

import org.jspecify.annotations.Nullable;

/**
 * A server has archived a task after a failure.
 *
 * @param error the text that is stored with the task
 * @param cause what the handler has thrown, {@code null} if there is nothing of the kind
 * @param reason why it is not retried
 */
public record TaskArchivedEvent(TaskFacts facts, String error, @Nullable Throwable cause,
		ArchiveReason reason) implements TaskEvent {
}
