package io.asynq.handler;

import io.asynq.Task;
import org.jspecify.annotations.Nullable;

/**
 * Wraps every handler, as Go's {@code MiddlewareFunc}, and is also called for tasks that
 * have none. Beans of this type are called in their order, the first one outermost.
 * Called by many threads.
 */
@FunctionalInterface
public interface TaskInterceptor {

	/**
	 * Processes a task, usually by a call of {@code next}, the rest of the chain; result
	 * and exceptions are those of {@link TaskHandlerFunction#processTask}.
	 */
	byte @Nullable [] intercept(Task task, TaskContext context, TaskHandlerFunction next) throws Exception;

}
