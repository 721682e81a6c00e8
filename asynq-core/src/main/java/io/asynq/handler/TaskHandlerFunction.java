package io.asynq.handler;

import io.asynq.Task;
import org.jspecify.annotations.Nullable;

/**
 * Processes tasks, as Go's {@code Handler}. Called by many threads.
 */
@FunctionalInterface
public interface TaskHandlerFunction {

	/**
	 * Processes one task. It can be called several times for the same task, so it must be
	 * idempotent.
	 * @return the result to store with the task, which is kept for its retention;
	 * {@code null} for none, or to keep what {@link TaskContext#resultWriter()} wrote
	 * @throws Exception to retry the task; see also {@link SkipRetryException},
	 * {@link RevokeTaskException} and {@link PostponeTaskException}
	 */
	byte @Nullable [] processTask(Task task, TaskContext context) throws Exception;

}
