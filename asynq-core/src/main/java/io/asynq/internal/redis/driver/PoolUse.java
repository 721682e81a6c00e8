package io.asynq.internal.redis.driver;

/** On a cluster the pools of all nodes together; {@code max} is negative for no bound. */
public record PoolUse(int active, int idle, int max, int pending) {
}
