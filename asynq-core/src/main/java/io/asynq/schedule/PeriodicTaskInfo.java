package io.asynq.schedule;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * An entry of a scheduler.
 *
 * @param spec when it fires, with its zone if it has its own
 * @param type type of its tasks; empty if it is only known when it fires
 * @param queue queue of its tasks, as far as it is known in advance
 * @param next its next fire, {@code null} for never or while the scheduler is stopped
 * @param previous its last fire in this scheduler, {@code null} if there was none
 */
public record PeriodicTaskInfo(String id, String spec, String type, String queue, @Nullable Instant next,
		@Nullable Instant previous) {
}
