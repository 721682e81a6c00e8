package io.asynq.internal.schedule;

import java.time.Instant;

import io.asynq.TaskOptions;
import org.jspecify.annotations.Nullable;

/** The payload is {@code null} also if each task has its own. */
public record SchedulerEntrySnapshot(String id, String spec, String type, byte @Nullable [] payload,
		TaskOptions options, @Nullable Instant next, @Nullable Instant previous) {
}
