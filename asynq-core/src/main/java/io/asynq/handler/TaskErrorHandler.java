package io.asynq.handler;

import io.asynq.Task;

/**
 * Called for every failed attempt before its outcome is written, as Go's
 * {@code ErrorHandler} (docs/compatibility.md, F10), also after a
 * {@link SkipRetryException} or {@link RevokeTaskException}, a deadline, a cancellation
 * or a lost lease, but neither for postponed tasks nor for those that are recovered from
 * a dead server. What it throws is logged and changes nothing. Meanwhile the worker stays
 * occupied; after {@code asynq.server.stuck-handler-timeout} the error handler is
 * interrupted and the outcome is written. Called by many threads.
 */
@FunctionalInterface
public interface TaskErrorHandler {

	/**
	 * Handles the error of a failed attempt.
	 */
	void handleError(Task task, TaskContext context, Throwable error);

}
