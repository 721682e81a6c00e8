package io.asynq.broker;

import java.time.Instant;
import java.util.List;

/**
 * A page of active tasks whose lease has ended.
 *
 * @param leases the leases, the one that ended first at the front
 * @param listed how many Redis listed, those that cannot be decoded included
 * @param more whether further ones may have ended
 * @param now the present by Redis's clock
 * @param even whether there are as many leases as active tasks: if not, some have none
 */
public record EndedLeases(List<EndedLease> leases, int listed, boolean more, Instant now, boolean even) {
}
