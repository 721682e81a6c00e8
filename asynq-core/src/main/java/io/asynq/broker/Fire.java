package io.asynq.broker;

import java.time.Instant;

/**
 * One fire of a periodic task, the same for all schedulers that have its entry.
 *
 * @param entry identity of the entry
 * @param at the whole second at which it was to fire, which is not when somebody came to
 * it
 * @param asker who asks: asked again by the same one, the answer is the same
 * @param remembered whether it is kept as the entry's last fire, see
 * {@link FireStore#lastFire}
 * @param missed whether it counts only if no later fire is known
 */
public record Fire(String entry, Instant at, String asker, boolean remembered, boolean missed) {
}
