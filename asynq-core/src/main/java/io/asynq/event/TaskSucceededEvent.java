package io.asynq.event;

/**
 * An attempt has succeeded.
 *
 * @param facts the task
 */
public record TaskSucceededEvent(TaskFacts facts) implements TaskEvent {
}
