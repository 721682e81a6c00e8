package io.asynq.annotation;

import io.asynq.PayloadConverter;
import io.asynq.Task;
import io.asynq.handler.AsynqHandler;
import io.asynq.handler.TaskContext;
import org.jspecify.annotations.Nullable;

/**
 * A bean's method as a handler: arguments from the task, result from what is returned.
 */
final class MethodTaskHandler implements AsynqHandler {

	private final TaskHandlerMethod method;

	private final PayloadConverter converter;

	MethodTaskHandler(TaskHandlerMethod method, PayloadConverter converter) {
		this.method = method;
		this.converter = converter;
	}

	@Override
	public byte @Nullable [] processTask(Task task, TaskContext context) throws Exception {
		return this.converter.toBytes(this.method.invoke(new TaskInvocation(task, context)));
	}

	@Override
	public String toString() {
		return HandlerSignature.describe(this.method.getMethod());
	}

}
