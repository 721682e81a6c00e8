package io.asynq.scheduler;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * An entry of a scheduler.
 *
 * @param id its identity
 * @param spec when it fires, with its zone if it has one of its own
 * @param type type of its tasks; empty if each names its own
 * @param queue the queue of its tasks as far as it is known before
 * @param next its next fire, {@code null} for never or while the scheduler is stopped
 * @param previous its last fire in this scheduler, {@code null} for none yet
 */
public record PeriodicTaskInfo(String id, String spec, String type, String queue, @Nullable Instant next,
		@Nullable Instant previous) {
}
