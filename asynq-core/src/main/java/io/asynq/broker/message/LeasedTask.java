package io.asynq.broker.message;

/**
 * If the server dies, a task fetched {@code ahead} counts as not begun unless that is
 * recorded; {@code woken}: it is its turn after waiting for a limit.
 */
public record LeasedTask(TaskMessage message, Lease lease, CrashRecord record, boolean ahead, boolean woken) {

	public LeasedTask(TaskMessage message, Lease lease) {
		this(message, lease, CrashRecord.CLEAN);
	}

	public LeasedTask(TaskMessage message, Lease lease, CrashRecord record) {
		this(message, lease, record, false);
	}

	public LeasedTask(TaskMessage message, Lease lease, CrashRecord record, boolean ahead) {
		this(message, lease, record, ahead, false);
	}

	public boolean isLastAttempt() {
		return this.message.retried() >= this.message.maxRetry();
	}

	public LeasedTask withRecord(CrashRecord record) {
		return new LeasedTask(this.message, this.lease, record, this.ahead, this.woken);
	}

}
