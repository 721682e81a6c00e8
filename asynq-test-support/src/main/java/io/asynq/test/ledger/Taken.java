package io.asynq.test.ledger;

import java.time.Instant;

/**
 * A task that a Java worker got from Redis. Its handler starts later, or never if the
 * worker is killed before.
 */
public record Taken(TaskKey task, String worker, Instant time) {

}
