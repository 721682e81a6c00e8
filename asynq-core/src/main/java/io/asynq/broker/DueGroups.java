package io.asynq.broker;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What a look at some of a queue's groups has found.
 *
 * @param groups those that are due; one may stand in two answers
 * @param nextDue when the next of the others is due, as far as it is known by now
 * @param next where to go on, {@code null} when all have been looked at
 */
public record DueGroups(List<String> groups, @Nullable Instant nextDue, @Nullable String next) {
}
