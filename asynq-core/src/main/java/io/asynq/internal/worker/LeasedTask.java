package io.asynq.internal.worker;

import io.asynq.internal.redis.TaskMessage;

/**
 * If the server dies, a task fetched {@code ahead} counts as not begun unless its
 * beginning is recorded; {@code woken} says that it waited for a limit and it is its
 * turn.
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
