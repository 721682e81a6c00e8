package io.asynq.handler;

import io.asynq.Task;
import org.jspecify.annotations.Nullable;

/**
 * Works on tasks (asynq H01–H03). Called by many threads.
 */
@FunctionalInterface
public interface AsynqHandler {

	/**
	 * Works on one task. Runs at least once per task, so it must bear to run again.
	 * @param task the task
	 * @param context the attempt
	 * @return the result to keep with the task for its retention, {@code null} for none
	 * or to leave alone what {@link TaskContext#resultWriter()} wrote
	 * @throws Exception to have the task retried; see also
	 * {@link io.asynq.SkipRetryException} and {@link io.asynq.RevokeTaskException}
	 */
	byte @Nullable [] processTask(Task task, TaskContext context) throws Exception;

}
