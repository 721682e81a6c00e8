package io.asynq.test.ledger;

import java.time.Instant;

/**
 * The handler of a task that a worker has taken starts later, or never if the worker is
 * killed before.
 */
public record Taken(TaskKey task, String worker, Instant time) {

}
