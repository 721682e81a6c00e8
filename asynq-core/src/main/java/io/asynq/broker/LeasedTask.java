package io.asynq.broker;

/**
 * A task taken from its queue, with the right to work on it.
 *
 * @param message the task
 * @param lease the right
 * @param record what became of earlier attempts
 */
public record LeasedTask(TaskMessage message, Lease lease, CrashRecord record) {

	/**
	 * Creates one of a task whose attempts have all ended by themselves.
	 * @param message the task
	 * @param lease the right
	 */
	public LeasedTask(TaskMessage message, Lease lease) {
		this(message, lease, CrashRecord.CLEAN);
	}

	/**
	 * Returns the task with another record.
	 * @param record the record
	 * @return a new one
	 */
	public LeasedTask withRecord(CrashRecord record) {
		return new LeasedTask(this.message, this.lease, record);
	}

}
