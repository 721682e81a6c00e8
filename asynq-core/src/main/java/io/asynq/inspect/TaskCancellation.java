package io.asynq.inspect;

import io.asynq.CancelMode;

/**
 * Cancels tasks. Safe for concurrent use.
 */
public interface TaskCancellation {

	/**
	 * Asks all servers to cancel an active task, as Go's {@code CancelProcessing}, and
	 * returns when the request is sent. An attempt that is cancelled fails, and its task
	 * is retried, unless its Java server has another {@code asynq.server.cancel}.
	 * @param id the task's id, in any queue; nothing happens if no such task is active
	 */
	void cancelTask(String id);

	/**
	 * Cancels a task, whether it waits or is active. If it waits, it is archived or
	 * deleted at once, and nothing is counted. If it is active, its server is asked to
	 * interrupt it, and a task of the same id that is active in another queue is
	 * interrupted too. While a Java server of the queue lives, an active task is archived
	 * or deleted as soon as its attempt fails, whichever server has it; what Go retries
	 * counts as Go has counted it.
	 * @param mode what becomes of it; {@link CancelMode#RETRY} takes back an earlier wish
	 * @throws io.asynq.TaskNotFoundException if the queue has no such task
	 * @throws io.asynq.TaskStateException if it is archived or completed, or with
	 * {@link CancelMode#RETRY} if it is not active, or if it is being aggregated
	 */
	CancelResult cancelTask(String queue, String id, CancelMode mode);

}
