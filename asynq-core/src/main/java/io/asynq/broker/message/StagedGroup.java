package io.asynq.broker.message;

import java.time.Instant;

/**
 * Tasks that were taken out of a group to become one; no other aggregator gets them until
 * the set expires and they go back to the group.
 */
public record StagedGroup(String queue, String group, String set, int size, Instant expiresAt, long endNanos) {
}
