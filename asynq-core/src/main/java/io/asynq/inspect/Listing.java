package io.asynq.inspect;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A part of a list.
 *
 * @param next the cursor of the next part, {@code null} if this is the last one
 */
public record Listing<T>(List<T> entries, @Nullable String next) {
}
