package io.asynq.handler;

import io.asynq.Task;
import org.jspecify.annotations.Nullable;

/**
 * Wraps every handler, as Go's {@code MiddlewareFunc}, and is also called for tasks that
 * have no handler. Beans of this type are called in their order, the first one outermost.
 * Called by many threads.
 */
@FunctionalInterface
public interface TaskInterceptor {

	/**
	 * Processes a task, usually by a call of {@code next}.
	 * @param task the task
	 * @param context the attempt
	 * @param next the rest of the chain
	 * @return the result, see {@link TaskHandlerFunction#processTask}
	 * @throws Exception to retry the task
	 */
	byte @Nullable [] intercept(Task task, TaskContext context, TaskHandlerFunction next) throws Exception;

}
