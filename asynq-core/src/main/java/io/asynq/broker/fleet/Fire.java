package io.asynq.broker.fleet;

import java.time.Instant;

/**
 * One fire of a periodic task, the same for all schedulers that have its entry.
 *
 * @param entry identity of the entry
 * @param at the whole second at which it was due, which is not when a scheduler got to it
 * @param asker who asks: the same asker gets the same answer again
 * @param remembered whether it is kept as the entry's last fire, so that missed fires are
 * known
 * @param missed whether it counts only if no later fire is known
 */
public record Fire(String entry, Instant at, String asker, boolean remembered, boolean missed) {
}
