package io.asynq.broker.message;

/**
 * How many tasks to take from a queue.
 *
 * @param max how many at most, at least 1
 */
public record QueueShare(String queue, int max) {
}
