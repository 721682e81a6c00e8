package io.asynq.reliability.check;

import java.time.Duration;
import java.time.Instant;

/**
 * What a run may be judged by.
 *
 * @param recovery for how long after its end a fault explains that a task runs again
 * @param redisMayLose how much of what was acknowledged before a fault Redis may lose by
 * its settings
 * @param judgedAt when Redis was looked at
 */
public record Rules(Duration recovery, Duration redisMayLose, Instant judgedAt) {

}
