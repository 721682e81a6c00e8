package io.asynq.broker;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What a scheduler tells about one of its entries (asynq M16).
 *
 * @param id the entry
 * @param spec when it fires
 * @param type type of its tasks
 * @param payload their payload, {@code null} for none or if each has its own
 * @param options how they are enqueued, as Go writes options: {@code Queue("low")}
 * @param next its next fire, {@code null} for never
 * @param previous its last fire, {@code null} for none yet
 */
public record SchedulerEntrySnapshot(String id, String spec, String type, byte @Nullable [] payload,
		List<String> options, @Nullable Instant next, @Nullable Instant previous) {
}
