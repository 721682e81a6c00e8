package io.asynq.broker.message;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * An active task whose lease has ended, or soon will.
 *
 * @param endedAt the end, in whole seconds
 * @param sinceEnd how long ago that was by Redis's clock, negative if it is still to come
 * @param unmoved for how long servers have seen it unmoved
 * @param attempt what is known of the attempt
 * @param record the crashes of this and earlier attempts
 */
public record EndedLease(TaskMessage message, Instant endedAt, Duration sinceEnd, Duration unmoved, LostAttempt attempt,
		CrashRecord record) {

	/** Returns the lease with another record. */
	public EndedLease withRecord(CrashRecord record) {
		return new EndedLease(this.message, this.endedAt, this.sinceEnd, this.unmoved, this.attempt, record);
	}

	/**
	 * Some of a queue's active tasks whose lease has ended.
	 *
	 * @param leases the leases, the one that ended first comes first
	 * @param listed how many Redis listed, including those that cannot be decoded
	 * @param more whether more may have ended
	 * @param now the present by Redis's clock
	 * @param even whether there are as many leases as active tasks; if not, some have
	 * none
	 */
	public record Page(List<EndedLease> leases, int listed, boolean more, Instant now, boolean even) {
	}

}
