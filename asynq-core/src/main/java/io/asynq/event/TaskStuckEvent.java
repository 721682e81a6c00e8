package io.asynq.event;

import java.time.Duration;

/**
 * A handler continues long after its attempt has ended, and keeps its worker.
 *
 * @param patience for how long at least ({@code asynq.server.stuck-handler-timeout})
 * @param where has the stack trace of the handler's thread
 */
public record TaskStuckEvent(TaskFacts facts, Duration patience, Exception where) implements TaskEvent {
}
