package io.asynq.broker.message;

/**
 * A task taken from its queue, with the right to work on it.
 *
 * @param record what became of earlier attempts
 */
public record LeasedTask(TaskMessage message, Lease lease, CrashRecord record) {

	/** Creates one for a task whose attempts have all ended by themselves. */
	public LeasedTask(TaskMessage message, Lease lease) {
		this(message, lease, CrashRecord.CLEAN);
	}

	/** Returns the task with another record. */
	public LeasedTask withRecord(CrashRecord record) {
		return new LeasedTask(this.message, this.lease, record);
	}

}
