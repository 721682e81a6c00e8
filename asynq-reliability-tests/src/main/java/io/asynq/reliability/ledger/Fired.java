package io.asynq.reliability.ledger;

import java.time.Instant;

/**
 * A task of a periodic task as its handler was given it.
 *
 * @param task the task
 * @param entry the id of the periodic task
 * @param fire when it was to fire, as the scheduler said
 */
public record Fired(TaskKey task, String entry, Instant fire) {

}
