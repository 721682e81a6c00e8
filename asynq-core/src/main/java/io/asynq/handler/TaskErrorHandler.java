package io.asynq.handler;

import io.asynq.Task;

/**
 * Is told of every attempt that failed, before the outcome is written (asynq F10): also
 * of skipped and revoked tasks, deadlines, cancellations and lost leases, but not of
 * tasks that the recoverer brings back. Whatever it throws is logged and changes nothing;
 * while it runs its task's worker is not free. Where it takes longer than
 * {@code stuck-handler-timeout} it is interrupted and the outcome written. Called by many
 * threads.
 */
@FunctionalInterface
public interface TaskErrorHandler {

	/**
	 * Takes note of a failed attempt.
	 * @param task the task
	 * @param context the attempt
	 * @param error what ended it
	 */
	void handleError(Task task, TaskContext context, Throwable error);

}
