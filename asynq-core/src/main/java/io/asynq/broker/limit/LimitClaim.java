package io.asynq.broker.limit;

/**
 * An attempt at a task that needs, or has, tokens.
 *
 * @param limits what it needs
 * @param taskId the id of the task
 * @param attempt identifies the attempt
 * @param woken whether the task waited and it is its turn
 */
public record LimitClaim(LimitClass limits, String taskId, String attempt, boolean woken) {
}
