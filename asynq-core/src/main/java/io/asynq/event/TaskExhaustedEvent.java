package io.asynq.event;

import org.jspecify.annotations.Nullable;

/**
 * A limit has ended a task without success: its last attempt has failed, also if its
 * server died, or it has taken down too many servers. It is in the archive. Told after
 * {@link TaskArchivedEvent}; the place for what must be done about dead letters.
 *
 * @param error the text that is stored with the task
 * @param cause what the handler has thrown, {@code null} if there is nothing of the kind
 * @param reason which limit
 */
public record TaskExhaustedEvent(TaskFacts facts, String error, @Nullable Throwable cause,
		ArchiveReason reason) implements TaskEvent {
}
