package io.asynq.broker.message;

public record QueueShare(String queue, int max) {
}
