package io.asynq.broker.fleet;

import java.time.Instant;

/**
 * One fire of a periodic task, the same for all schedulers that have its entry; the same
 * asker gets the same answer again, and a missed fire counts only if no later one is
 * known.
 */
public record Fire(String entry, Instant at, String asker, boolean remembered, boolean missed) {
}
