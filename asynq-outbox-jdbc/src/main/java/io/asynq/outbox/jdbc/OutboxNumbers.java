package io.asynq.outbox.jdbc;

import org.jspecify.annotations.Nullable;

/**
 * How full an outbox is.
 *
 * @param oldestMillis when the oldest waiting row was written, {@code null} if none waits
 */
record OutboxNumbers(long waiting, long setAside, @Nullable Long oldestMillis) {
}
