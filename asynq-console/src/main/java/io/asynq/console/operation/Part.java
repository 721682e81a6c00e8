package io.asynq.console.operation;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A part of a list.
 *
 * @param asOf when it was read
 * @param entries the entries
 * @param next the cursor of the next part, {@code null} if this is the last one
 */
record Part(Instant asOf, List<?> entries, @Nullable String next) {
}
