package io.asynq.broker.message;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A task to be stored.
 *
 * @param message the message; the broker fills in the unique key
 * @param placement where it goes
 * @param lockTtl life of its unique lock from now, {@code null} for no lock
 */
public record EnqueueRequest(TaskMessage message, Placement placement, @Nullable Duration lockTtl) {
}
