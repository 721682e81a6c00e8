package io.asynq.internal.limit;

import io.asynq.internal.worker.LimitClass;

public record LimitClaim(LimitClass limits, String taskId, String attempt, boolean woken) {
}
