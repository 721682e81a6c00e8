package io.asynq.internal.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.asynq.internal.redis.TaskMessage;

/** {@code unmoved} is for how long servers have seen the lease not extended. */
public record EndedLease(TaskMessage message, Instant endedAt, Duration sinceEnd, Duration unmoved, LostAttempt attempt,
		CrashRecord record) {

	public EndedLease withRecord(CrashRecord record) {
		return new EndedLease(this.message, this.endedAt, this.sinceEnd, this.unmoved, this.attempt, record);
	}

	/** There are as many leases as active tasks if {@code even}, so none lacks one. */
	public record Page(List<EndedLease> leases, int listed, boolean more, Instant now, boolean even) {
	}

}
