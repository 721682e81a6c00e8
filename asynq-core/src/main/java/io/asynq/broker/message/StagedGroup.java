package io.asynq.broker.message;

import java.time.Instant;

/**
 * Tasks that were taken out of a group to become one. No other aggregator gets them until
 * the set expires; then they go back to the group.
 *
 * @param set the set's full name in the store
 * @param size how many tasks it has
 * @param expiresAt when it goes back by Redis's clock, whole seconds
 * @param endNanos the nano time at which it goes back
 */
public record StagedGroup(String queue, String group, String set, int size, Instant expiresAt, long endNanos) {
}
