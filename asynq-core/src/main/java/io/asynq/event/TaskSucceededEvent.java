package io.asynq.event;

/**
 * An attempt has succeeded.
 */
public record TaskSucceededEvent(TaskFacts facts) implements TaskEvent {
}
