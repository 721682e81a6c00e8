package io.asynq.broker.limit;

/**
 * A task that needs, or has, tokens.
 *
 * @param limits what it needs
 * @param taskId its id
 */
public record LimitClaim(LimitClass limits, String taskId) {
}
