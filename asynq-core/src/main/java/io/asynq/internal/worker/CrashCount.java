package io.asynq.internal.worker;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A server's first crash only makes its tasks suspects, because just one of them can have
 * caused it; later crashes count if the handler had begun; used by one thread.
 */
public final class CrashCount {

	private final int limit;

	private final Duration amnesty;

	private @Nullable Long awayNanos;

	/**
	 * @param limit at how many crashes a task is archived, 0 for never
	 */
	public CrashCount(int limit, Duration leaseDuration) {
		this.limit = limit;
		this.amnesty = leaseDuration.multipliedBy(2);
	}

	/** For a while, a lost lease says nothing about its server. */
	public void redisWasAway() {
		this.awayNanos = System.nanoTime();
	}

	public EndedLease count(EndedLease lease) {
		boolean away = this.awayNanos != null && System.nanoTime() - this.awayNanos < this.amnesty.toNanos();
		LostAttempt attempt = lease.attempt();
		if (away || attempt.counted()) {
			return lease;
		}
		return lease.withRecord(count(lease.record(), attempt.beginning() == LostAttempt.Beginning.BEGUN,
				attempt.server(), lease.endedAt()));
	}

	public CrashRecord count(CrashRecord record, boolean begun, String server, Instant at) {
		if (this.limit == 0) {
			return record;
		}
		if (!record.suspect()) {
			return record.suspected();
		}
		return begun ? record.crashed(server, at) : record;
	}

	public boolean isTooMany(CrashRecord record) {
		return this.limit > 0 && record.crashes() >= this.limit;
	}

	public String reason(CrashRecord record) {
		return "asynq: task took down " + record.crashes() + " servers (asynq.server.max-crashes)"
				+ (record.deaths().isEmpty() ? "" : ": " + String.join(", ", record.deaths()));
	}

}
