package io.asynq.handler;

/**
 * Keeps a result with the task (asynq J01–J03). It can be read for as long as the task
 * exists: with no retention it goes with the task when that succeeds.
 */
public interface ResultWriter {

	/**
	 * Replaces the result so far.
	 * @param result the bytes
	 * @return their number
	 * @throws io.asynq.AsynqException if the attempt has ended (deadline, cancellation,
	 * shutdown) or Redis cannot be reached
	 */
	int write(byte[] result);

}
