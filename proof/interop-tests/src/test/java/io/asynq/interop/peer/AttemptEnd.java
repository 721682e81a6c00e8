package io.asynq.interop.peer;

import org.jspecify.annotations.Nullable;

/**
 * How a handler returned.
 *
 * @param taskId the task's id
 * @param error the error text, {@code null} for none
 * @param cancelled why the attempt had ended by then, {@code null} if it had not
 */
public record AttemptEnd(String taskId, @Nullable String error, @Nullable String cancelled) {
}
