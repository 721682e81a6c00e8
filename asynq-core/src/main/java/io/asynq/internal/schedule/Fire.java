package io.asynq.internal.schedule;

import java.time.Instant;

/**
 * The same asker gets the same answer again, and a missed fire counts only if no later
 * one is known.
 */
public record Fire(String entry, Instant at, String asker, boolean remembered, boolean missed) {
}
