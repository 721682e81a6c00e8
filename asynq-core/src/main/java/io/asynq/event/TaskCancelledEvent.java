package io.asynq.event;

/**
 * An attempt is ended because its task was cancelled by its id. The events of a failure
 * follow.
 */
public record TaskCancelledEvent(TaskFacts facts) implements TaskEvent {
}
