package io.asynq.internal.enqueue;

import java.util.List;

/**
 * Takes the tasks that wait for a transaction, and makes them part of it: what commits
 * the transaction commits its tasks. Whoever has the outbox sends them after the commit,
 * as often as needed. Must be safe for concurrent use.
 */
public interface TaskOutbox {

	/**
	 * Writes tasks in the transaction of the calling thread, all or none, in the order in
	 * which they are to be sent.
	 * @throws io.asynq.AsynqException if they cannot be written, or if the transaction is
	 * not one that the outbox takes part in
	 */
	void write(List<EnqueueRequest> requests);

}
