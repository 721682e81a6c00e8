package io.asynq.event;

import java.time.Duration;

/**
 * A task will be retried after an error.
 *
 * @param error the text that is stored with the task
 * @param delay after which time
 * @param counted {@code false} if a {@code FailurePredicate} says that the error is no
 * failure
 */
public record TaskRetriedEvent(TaskFacts facts, String error, Duration delay, boolean counted) implements TaskEvent {
}
