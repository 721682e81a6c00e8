package io.asynq.event;

/**
 * A handler of this server is about to be called.
 *
 * @param facts the task
 */
public record TaskStartedEvent(TaskFacts facts) implements TaskEvent {
}
