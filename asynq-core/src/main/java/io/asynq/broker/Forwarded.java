package io.asynq.broker;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * What one forwarding call did.
 *
 * @param moved how many tasks are pending or grouped now
 * @param more whether more were due than one call moves
 * @param nextDue when the next scheduled or retry task is due, {@code null} if there is
 * none
 * @param now the present by Redis's clock, which due times go by
 */
public record Forwarded(int moved, boolean more, @Nullable Instant nextDue, Instant now) {
}
