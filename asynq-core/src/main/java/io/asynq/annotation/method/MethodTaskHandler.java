package io.asynq.annotation.method;

import java.lang.reflect.Method;
import java.lang.reflect.Type;

import io.asynq.Task;
import io.asynq.annotation.TaskInvocation;
import io.asynq.handler.TaskContext;
import io.asynq.handler.TaskHandlerFunction;
import io.asynq.lifecycle.UserCode;
import io.asynq.logging.OneLineLogger;
import io.asynq.payload.PayloadConverter;
import io.asynq.server.attempt.ErrorTexts;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Calls a bean's method as a handler.
 */
final class MethodTaskHandler implements TaskHandlerFunction {

	private static final Logger logger = OneLineLogger.of(MethodTaskHandler.class);

	private final TaskHandlerMethod method;

	private final PayloadConverter converter;

	private final Type returned;

	MethodTaskHandler(TaskHandlerMethod method, PayloadConverter converter, Type returned) {
		this.method = method;
		this.converter = converter;
		this.returned = returned;
	}

	Method method() {
		return this.method.getMethod();
	}

	@Override
	public byte @Nullable [] processTask(Task task, TaskContext context) throws Exception {
		Object returned = this.method.invoke(new TaskInvocation(task, context));
		return context.retention().isZero() ? null : result(returned, task, context);
	}

	@Override
	public String toString() {
		return HandlerSignature.describe(this.method.getMethod());
	}

	/** The method has succeeded: an error here must not repeat it. */
	private byte @Nullable [] result(@Nullable Object returned, Task task, TaskContext context) {
		try {
			return this.converter.toBytes(returned, this.returned);
		}
		catch (Exception | LinkageError | AssertionError | StackOverflowError ex) {
			UserCode.tell(ErrorTexts.quoteFree(ex), (shown) -> logger.warn(
					"Task {} ({}) in queue {} is completed without a result: what {} returned cannot be converted",
					context.taskId(), task.type(), context.queue(), this, shown));
			return null;
		}
	}

}
