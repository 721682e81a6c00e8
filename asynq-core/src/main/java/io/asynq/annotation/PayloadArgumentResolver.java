package io.asynq.annotation;

import java.lang.reflect.Method;
import java.lang.reflect.Type;

import io.asynq.PayloadConversionException;
import io.asynq.PayloadConverter;
import io.asynq.SkipRetryException;
import io.asynq.Task;
import org.jspecify.annotations.Nullable;

import org.springframework.core.GenericTypeResolver;
import org.springframework.core.MethodParameter;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;

/**
 * The argument that is the payload, for one method. A payload that does not fit will not
 * fit at any attempt, so it archives the task.
 */
final class PayloadArgumentResolver implements HandlerMethodArgumentResolver {

	private final PayloadConverter converter;

	private final Method method;

	private final Class<?> targetClass;

	PayloadArgumentResolver(PayloadConverter converter, Method method, Class<?> targetClass) {
		this.converter = converter;
		this.method = method;
		this.targetClass = targetClass;
	}

	@Override
	public boolean supportsParameter(MethodParameter parameter) {
		return HandlerSignature.isPayload(parameter);
	}

	@Override
	public @Nullable Object resolveArgument(MethodParameter parameter, Message<?> message) {
		Task task = TaskInvocation.of(message).task();
		Type target = GenericTypeResolver.resolveType(parameter.getGenericParameterType(), this.targetClass);
		Object payload = read(task, target);
		if (payload == null && !parameter.isOptional()) {
			throw new SkipRetryException("Task of type '" + task.type() + "' has no payload, which "
					+ HandlerSignature.describe(this.method) + " needs as " + target.getTypeName()
					+ ": send one, or declare the argument @Nullable or Optional");
		}
		return payload;
	}

	private @Nullable Object read(Task task, Type target) {
		try {
			return this.converter.fromBytes(task.payload(), target);
		}
		catch (PayloadConversionException ex) {
			throw new SkipRetryException("Payload of task type '" + task.type() + "' cannot be read as "
					+ target.getTypeName() + " for " + HandlerSignature.describe(this.method), ex);
		}
	}

}
