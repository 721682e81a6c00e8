package io.asynq.server;

import java.time.Duration;
import java.time.Instant;

import io.asynq.broker.CrashRecord;
import io.asynq.broker.EndedLease;
import io.asynq.broker.LostAttempt;
import org.jspecify.annotations.Nullable;

/**
 * Counts how many servers a task has taken down, so that one that does it again and again
 * ends in the archive. A server's first death only makes its tasks suspects, because it
 * was one of them at most; further ones count if the task's handler had begun. Used by
 * one thread.
 */
final class CrashCount {

	private final int limit;

	private final Duration amnesty;

	private @Nullable Long awayNanos;

	/**
	 * Creates the count.
	 * @param limit at how many crashes a task is archived, 0 for never
	 * @param leaseDuration how long a lease lasts
	 */
	CrashCount(int limit, Duration leaseDuration) {
		this.limit = limit;
		this.amnesty = leaseDuration.multipliedBy(2);
	}

	/**
	 * Says that Redis could not be reached: for a while, a lost lease says nothing about
	 * its server.
	 */
	void redisWasAway() {
		this.awayNanos = System.nanoTime();
	}

	/**
	 * Counts a lease that was lost with its server gone.
	 * @param lease the lease
	 * @return the lease with the new record
	 */
	EndedLease count(EndedLease lease) {
		boolean away = this.awayNanos != null && System.nanoTime() - this.awayNanos < this.amnesty.toNanos();
		LostAttempt attempt = lease.attempt();
		if (away || attempt.counted()) {
			return lease;
		}
		return lease.withRecord(count(lease.record(), attempt.beginning() == LostAttempt.Beginning.BEGUN,
				attempt.server(), lease.endedAt()));
	}

	/**
	 * Counts a death.
	 * @param record what was before
	 * @param begun whether it is known that the handler had begun
	 * @param server who has died
	 * @param at when
	 * @return what is now
	 */
	CrashRecord count(CrashRecord record, boolean begun, String server, Instant at) {
		if (this.limit == 0) {
			return record;
		}
		if (!record.suspect()) {
			return record.suspected();
		}
		return begun ? record.crashed(server, at) : record;
	}

	boolean isTooMany(CrashRecord record) {
		return this.limit > 0 && record.crashes() >= this.limit;
	}

	/**
	 * Says why a task is archived.
	 * @param record what became of its attempts
	 * @return the text
	 */
	String reason(CrashRecord record) {
		return "asynq: task took down " + record.crashes() + " servers (asynq.server.max-crashes)"
				+ (record.deaths().isEmpty() ? "" : ": " + String.join(", ", record.deaths()));
	}

}
