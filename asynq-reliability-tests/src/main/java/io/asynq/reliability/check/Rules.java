package io.asynq.reliability.check;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * What a run may be judged by.
 *
 * @param recovery for how long after its end a fault explains that a task runs again
 * @param redisMayLose how much of what was acknowledged before a fault Redis may lose by
 * its settings
 * @param resumesWithin how soon work must go on, {@code null} if nothing is promised
 * @param judgedAt when Redis was looked at
 */
public record Rules(Duration recovery, Duration redisMayLose, @Nullable Resumes resumesWithin, Instant judgedAt) {

}
