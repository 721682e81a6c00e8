package io.asynq.inspect;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A loop of a server or scheduler.
 *
 * @param name the name of its thread
 * @param dead whether its thread has ended although nobody has stopped it
 * @param error why its last run failed, {@code null} if it did not
 * @param failingSince when it began to fail, {@code null} if it does not fail
 * @param stalledSince when it last made progress, if that was more than a minute ago and
 * it is in the middle of its work; else {@code null}
 */
public record LoopInfo(String name, boolean dead, @Nullable String error, @Nullable Instant failingSince,
		@Nullable Instant stalledSince) {
}
