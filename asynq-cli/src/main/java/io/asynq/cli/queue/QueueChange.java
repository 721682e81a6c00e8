package io.asynq.cli.queue;

/**
 * What was done with a queue.
 *
 * @param queue the queue
 * @param done {@code paused}, {@code resumed} or {@code removed}
 */
record QueueChange(String queue, String done) {
}
