package io.asynq.broker.fleet;

import java.time.Instant;

import io.asynq.TaskOptions;
import org.jspecify.annotations.Nullable;

/**
 * What a scheduler publishes about one of its entries.
 *
 * @param spec when it fires
 * @param type type of its tasks
 * @param payload their payload, {@code null} for none or if each has its own
 * @param options how they are enqueued
 * @param next its next fire, {@code null} for never
 * @param previous its last fire, {@code null} for none yet
 */
public record SchedulerEntrySnapshot(String id, String spec, String type, byte @Nullable [] payload,
		TaskOptions options, @Nullable Instant next, @Nullable Instant previous) {
}
