package io.asynq.inspect;

import java.time.LocalDate;

/**
 * The attempts in a queue on one day.
 *
 * @param date the UTC day
 * @param processed attempts that succeeded or failed
 * @param failed attempts that failed
 */
public record DailyStats(String queue, LocalDate date, long processed, long failed) {
}
