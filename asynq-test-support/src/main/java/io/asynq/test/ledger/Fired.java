package io.asynq.test.ledger;

import java.time.Instant;

/**
 * A task of a periodic task, as its handler got it.
 *
 * @param entry the id of the periodic task
 * @param fire the time of the fire, as the scheduler set it
 */
public record Fired(TaskKey task, String entry, Instant fire) {

}
