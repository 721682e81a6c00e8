package io.asynq.internal.method;

import io.asynq.Task;
import io.asynq.annotation.TaskInvocation;
import org.springframework.core.MethodParameter;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.annotation.Headers;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;

final class TaskArgumentResolver implements HandlerMethodArgumentResolver {

	@Override
	public boolean supportsParameter(MethodParameter parameter) {
		return MethodTaskHandlerFactory.isTask(parameter) || parameter.hasParameterAnnotation(Headers.class);
	}

	@Override
	public Object resolveArgument(MethodParameter parameter, Message<?> message) {
		TaskInvocation invocation = TaskInvocation.of(message);
		if (parameter.hasParameterAnnotation(Headers.class)) {
			return invocation.task().headers();
		}
		return (parameter.getParameterType() == Task.class) ? invocation.task() : invocation.context();
	}

}
