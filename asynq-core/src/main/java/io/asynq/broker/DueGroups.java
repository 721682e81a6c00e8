package io.asynq.broker;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What a look at some of a queue's groups has found.
 *
 * @param groups those that are due; one may stand in two answers
 * @param untilNext in how long the next of the others is due, as far as it is known by
 * now, a day at most, {@code null} if there is none
 * @param next where to go on, {@code null} when all have been looked at
 */
public record DueGroups(List<String> groups, @Nullable Duration untilNext, @Nullable String next) {
}
