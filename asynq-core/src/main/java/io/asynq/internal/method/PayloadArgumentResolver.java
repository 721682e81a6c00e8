package io.asynq.internal.method;

import java.lang.reflect.Type;
import java.util.List;

import io.asynq.Task;
import io.asynq.annotation.TaskInvocation;
import io.asynq.handler.SkipRetryException;
import io.asynq.payload.PayloadConversionException;
import io.asynq.payload.PayloadConverter;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;
import org.springframework.util.ObjectUtils;

/**
 * A payload that cannot be converted or is not valid archives the task, because a retry
 * would not change it.
 */
final class PayloadArgumentResolver implements HandlerMethodArgumentResolver {

	private final PayloadConverter converter;

	private final BeanMethod method;

	private final @Nullable PayloadValidation validation;

	PayloadArgumentResolver(PayloadConverter converter, BeanMethod method, @Nullable PayloadValidation validation) {
		this.converter = converter;
		this.method = method;
		this.validation = validation;
	}

	@Override
	public boolean supportsParameter(MethodParameter parameter) {
		return MethodTaskHandlerFactory.isPayload(parameter);
	}

	@Override
	public @Nullable Object resolveArgument(MethodParameter parameter, Message<?> message) {
		Task task = TaskInvocation.of(message).task();
		Type target = this.method.resolve(parameter.getGenericParameterType());
		Object payload = read(task, target);
		if (payload == null && !parameter.isOptional()) {
			throw new SkipRetryException("Task of type '" + task.type() + "' has no payload, which "
					+ BeanMethod.describe(this.method.method()) + " needs as " + target.getTypeName()
					+ ": send one, or declare the argument @Nullable or Optional");
		}
		requireValid(payload, task);
		return payload;
	}

	private void requireValid(@Nullable Object payload, Task task) {
		Object value = ObjectUtils.unwrapOptional(payload);
		List<String> violations = (this.validation != null && value != null) ? this.validation.violations(value)
				: List.of();
		if (!violations.isEmpty()) {
			throw new SkipRetryException(PayloadValidation.describe(task, this.method.method(), violations.stream()));
		}
	}

	private @Nullable Object read(Task task, Type target) {
		try {
			return this.converter.fromBytes(task.payload(), target);
		}
		catch (PayloadConversionException ex) {
			throw new SkipRetryException("Payload of task type '" + task.type() + "' does not fit "
					+ BeanMethod.describe(this.method.method()) + ": " + ex.getMessage(), ex);
		}
	}

}
