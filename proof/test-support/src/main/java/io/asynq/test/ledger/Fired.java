package io.asynq.test.ledger;

import java.time.Instant;

/**
 * A task of a periodic task, as its handler got it.
 */
public record Fired(TaskKey task, String entry, Instant fire) {

}
