package io.asynq.event;

/**
 * A handler of this server is about to be called.
 */
public record TaskStartedEvent(TaskFacts facts) implements TaskEvent {
}
