package io.asynq.handler;

import io.asynq.Task;
import org.jspecify.annotations.Nullable;

/**
 * Code around every handler, also around the missing one (asynq H15). Beans of this type
 * are called in their order, the first outermost. Called by many threads.
 */
@FunctionalInterface
public interface TaskInterceptor {

	/**
	 * Calls {@code next}, or does not.
	 * @param task the task
	 * @param context the attempt
	 * @param next the rest of the chain
	 * @return the result, see {@link AsynqHandler#processTask}
	 * @throws Exception to have the task retried
	 */
	byte @Nullable [] intercept(Task task, TaskContext context, AsynqHandler next) throws Exception;

}
