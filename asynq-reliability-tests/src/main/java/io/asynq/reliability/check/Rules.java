package io.asynq.reliability.check;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The rules of a run.
 *
 * @param recovery for how long after its end a fault explains that a task runs again
 * @param redisMayLose how much of what was acknowledged before a fault Redis may lose by
 * its settings
 * @param resumesWithin how soon work must continue, {@code null} if nothing is promised
 * @param judgedAt when Redis was read
 */
public record Rules(Duration recovery, Duration redisMayLose, @Nullable Resumes resumesWithin, Instant judgedAt) {

}
