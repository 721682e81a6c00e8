package io.asynq.internal.method;

import io.asynq.Task;
import io.asynq.annotation.TaskInvocation;
import io.asynq.handler.SkipRetryException;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.MethodParameter;
import org.springframework.core.convert.ConversionException;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.support.AbstractNamedValueMethodArgumentResolver;
import org.springframework.util.Assert;

/**
 * A missing or unreadable header archives the task, because a retry would not change it.
 */
final class HeaderArgumentResolver extends AbstractNamedValueMethodArgumentResolver {

	HeaderArgumentResolver(ConfigurableBeanFactory beanFactory) {
		super(DefaultConversionService.getSharedInstance(), beanFactory);
	}

	@Override
	public boolean supportsParameter(MethodParameter parameter) {
		return parameter.hasParameterAnnotation(Header.class);
	}

	@Override
	public @Nullable Object resolveArgument(MethodParameter parameter, Message<?> message) throws Exception {
		try {
			return super.resolveArgument(parameter, message);
		}
		catch (ConversionException ex) {
			if (ex.getCause() instanceof Error error) {
				// Not caused by the header: another attempt may succeed
				throw error;
			}
			throw new SkipRetryException("Task of type '" + TaskInvocation.of(message).task().type()
					+ "' has a header that cannot be read as " + parameter.getParameterType().getName() + ", argument "
					+ (parameter.getParameterIndex() + 1) + " of " + method(parameter), ex);
		}
	}

	@Override
	protected NamedValueInfo createNamedValueInfo(MethodParameter parameter) {
		Header header = parameter.getParameterAnnotation(Header.class);
		Assert.state(header != null, "No @Header");
		return new NamedValueInfo(header.name(), header.required(), header.defaultValue()) {
		};
	}

	@Override
	protected @Nullable Object resolveArgumentInternal(MethodParameter parameter, Message<?> message, String name) {
		return TaskInvocation.of(message).task().headers().get(name);
	}

	@Override
	protected void handleMissingValue(String name, MethodParameter parameter, Message<?> message) {
		Task task = TaskInvocation.of(message).task();
		throw new SkipRetryException("Task of type '" + task.type() + "' has no header '" + name + "', which "
				+ method(parameter) + " needs: send it, or declare @Header(required = false)");
	}

	private static String method(MethodParameter parameter) {
		return (parameter.getMethod() != null) ? BeanMethod.describe(parameter.getMethod()) : String.valueOf(parameter);
	}

}
