package io.asynq.handler;

/**
 * Stores a result with the task, as Go's {@code ResultWriter}. It can be read as long as
 * the task exists: without retention it is deleted with the task when the task succeeds.
 */
public interface ResultWriter {

	/**
	 * Stores a result, which replaces an earlier one.
	 * @return the number of bytes
	 * @throws io.asynq.AsynqException if the attempt has ended (deadline, cancellation,
	 * shutdown) or Redis cannot be reached
	 */
	int write(byte[] result);

}
