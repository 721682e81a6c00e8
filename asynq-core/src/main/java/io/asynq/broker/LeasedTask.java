package io.asynq.broker;

/**
 * A task taken from its queue, with the right to work on it.
 *
 * @param message the task
 * @param lease the right
 */
public record LeasedTask(TaskMessage message, Lease lease) {
}
