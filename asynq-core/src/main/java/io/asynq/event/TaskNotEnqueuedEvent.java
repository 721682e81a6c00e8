package io.asynq.event;

import io.asynq.AsynqException;

/**
 * A task that waited for a transaction was not stored, although the transaction has
 * committed or may have: this application's client cannot throw an exception any more.
 *
 * @param error why not: what {@code enqueue} throws without a transaction. After a
 * {@link io.asynq.BrokerUnavailableException} the task may be stored all the same
 */
public record TaskNotEnqueuedEvent(TaskFacts facts, AsynqException error) implements TaskEvent {
}
