package io.asynq.broker;

import java.time.LocalDate;

/**
 * What was worked off in a queue on one day (asynq O04).
 *
 * @param queue the queue
 * @param date the UTC day
 * @param processed attempts that succeeded or failed
 * @param failed attempts that failed
 */
public record DailyStats(String queue, LocalDate date, long processed, long failed) {
}
