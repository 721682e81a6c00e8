package io.asynq.broker;

import java.time.Duration;
import java.time.Instant;

/**
 * An active task whose lease has ended, or soon will.
 *
 * @param message the task
 * @param endedAt the end, in whole seconds
 * @param sinceEnd how long ago that was by Redis's clock, negative if it is yet to come
 * @param unmoved for how long servers have seen it stand still
 * @param attempt what is known of the attempt
 * @param record what became of this and earlier attempts
 */
public record EndedLease(TaskMessage message, Instant endedAt, Duration sinceEnd, Duration unmoved, LostAttempt attempt,
		CrashRecord record) {

	/**
	 * Returns the lease with another record.
	 * @param record the record
	 * @return a new lease
	 */
	public EndedLease withRecord(CrashRecord record) {
		return new EndedLease(this.message, this.endedAt, this.sinceEnd, this.unmoved, this.attempt, record);
	}

}
