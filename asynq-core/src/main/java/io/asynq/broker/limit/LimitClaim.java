package io.asynq.broker.limit;

public record LimitClaim(LimitClass limits, String taskId, String attempt, boolean woken) {
}
