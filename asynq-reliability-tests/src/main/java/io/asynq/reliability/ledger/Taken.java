package io.asynq.reliability.ledger;

import java.time.Instant;

/**
 * A task that a Java worker got from Redis. Its handler is called later, or never if the
 * worker is killed in between.
 *
 * @param task the task
 * @param worker the name of the worker
 * @param time when
 */
public record Taken(TaskKey task, String worker, Instant time) {

}
