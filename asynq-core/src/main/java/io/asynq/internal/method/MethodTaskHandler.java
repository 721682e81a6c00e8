package io.asynq.internal.method;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.List;
import java.util.function.IntPredicate;

import io.asynq.Task;
import io.asynq.annotation.TaskInvocation;
import io.asynq.handler.SkipRetryException;
import io.asynq.handler.TaskContext;
import io.asynq.handler.TaskHandlerFunction;
import io.asynq.internal.lifecycle.UserCode;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.internal.worker.ErrorTexts;
import io.asynq.payload.PayloadConverter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

final class MethodTaskHandler implements TaskHandlerFunction {

	private static final Logger logger = OneLineLogger.of(MethodTaskHandler.class);

	private final TaskHandlerMethod method;

	private final IntPredicate custom;

	private final PayloadConverter converter;

	private final Type returned;

	MethodTaskHandler(TaskHandlerMethod method, IntPredicate custom, PayloadConverter converter, Type returned) {
		this.method = method;
		this.custom = custom;
		this.converter = converter;
		this.returned = returned;
	}

	Method method() {
		return this.method.getMethod();
	}

	@Override
	public byte @Nullable [] processTask(Task task, TaskContext context) throws Exception {
		Object returned = invoke(task, context);
		return context.retention().isZero() ? null : result(returned, task, context);
	}

	@Override
	public String toString() {
		return BeanMethod.describe(this.method.getMethod());
	}

	/** Arguments that come from the task are the same at each attempt. */
	private @Nullable Object invoke(Task task, TaskContext context) throws Exception {
		try {
			return this.method.invoke(new TaskInvocation(task, context));
		}
		catch (RuntimeException ex) {
			List<InvalidArgument> invalid = InvalidArgument.of(ex, method());
			if (invalid.stream().allMatch((argument) -> this.custom.test(argument.parameter()))) {
				throw ex;
			}
			throw new SkipRetryException(
					PayloadValidation.describe(task, method(), invalid.stream().map(InvalidArgument::problem)));
		}
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
