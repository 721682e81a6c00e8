package io.asynq.broker.check;

/**
 * What a pool's connections are doing, on a cluster those to all nodes together; a
 * negative maximum means that there is none.
 */
public record PoolUse(int active, int idle, int max, int pending) {
}
