package io.asynq.internal.worker;

public record QueueShare(String queue, int max) {
}
