package io.asynq.cli.task;

/**
 * What was done with a task.
 *
 * @param queue the queue
 * @param id the task
 * @param done {@code archived}, {@code deleted}, {@code pending} or {@code updated}
 */
record TaskChange(String queue, String id, String done) {
}
