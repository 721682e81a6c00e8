package io.asynq.broker.check;

/**
 * What the connections of a pool are doing; on a cluster, those to all nodes together.
 *
 * @param active how many are lent
 * @param idle how many are open and not lent
 * @param max how many there may be, negative for any number
 * @param pending how many threads wait for one
 */
public record PoolUse(int active, int idle, int max, int pending) {
}
