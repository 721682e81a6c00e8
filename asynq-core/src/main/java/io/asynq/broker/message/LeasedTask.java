package io.asynq.broker.message;

/**
 * A task taken from its queue, with the right to work on it.
 *
 * @param record what became of earlier attempts
 * @param ahead whether it was taken by a call that fetched ahead: should its server die,
 * its handler counts as not begun unless the beginning is recorded
 * @param woken whether it has waited for a limit and it is its turn
 */
public record LeasedTask(TaskMessage message, Lease lease, CrashRecord record, boolean ahead, boolean woken) {

	/** Creates one for a task whose attempts have all ended by themselves. */
	public LeasedTask(TaskMessage message, Lease lease) {
		this(message, lease, CrashRecord.CLEAN);
	}

	/** Creates one that was not fetched ahead. */
	public LeasedTask(TaskMessage message, Lease lease, CrashRecord record) {
		this(message, lease, record, false);
	}

	/** Creates one that has not waited. */
	public LeasedTask(TaskMessage message, Lease lease, CrashRecord record, boolean ahead) {
		this(message, lease, record, ahead, false);
	}

	/** Returns whether the task is not retried any more. */
	public boolean isLastAttempt() {
		return this.message.retried() >= this.message.maxRetry();
	}

	/** Returns the task with another record. */
	public LeasedTask withRecord(CrashRecord record) {
		return new LeasedTask(this.message, this.lease, record, this.ahead, this.woken);
	}

}
