package io.asynq.internal.method;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.asynq.Task;
import io.asynq.handler.TaskContext;
import io.asynq.payload.PayloadConversionException;
import io.asynq.payload.PayloadConverter;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.MethodParameter;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.ResolvableType;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Headers;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolverComposite;

final class MethodTaskHandlerFactory {

	private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

	private static final String ALLOWED = "allowed are one payload of any type, Task, TaskContext, @Header and"
			+ " @Headers Map<String, String>, each optional, and what a HandlerMethodArgumentResolver bean takes";

	private final ConfigurableBeanFactory beanFactory;

	private final PayloadConverter converter;

	/** Resolvers of the application, which take precedence over the payload. */
	private final List<HandlerMethodArgumentResolver> custom;

	MethodTaskHandlerFactory(ConfigurableBeanFactory beanFactory, PayloadConverter converter) {
		this.beanFactory = beanFactory;
		this.converter = converter;
		this.custom = beanFactory.getBeanProvider(HandlerMethodArgumentResolver.class).orderedStream().toList();
	}

	List<String> problems(BeanMethod handler) {
		Method method = handler.method();
		String name = "@TaskHandler method " + handler + ": ";
		List<String> problems = new ArrayList<>();
		handler.problems().forEach((problem) -> problems.add(name + problem));
		if (BeanMethod.isSuspending(method)) {
			return problems;
		}
		long payloads = 0;
		for (int i = 0; i < method.getParameterCount(); i++) {
			MethodParameter parameter = new MethodParameter(method, i);
			if (parameter.hasParameterAnnotation(Headers.class)) {
				if (!takesHeaders(parameter)) {
					problems.add(name + "argument " + (i + 1) + " has @Headers but is no Map of strings; " + ALLOWED);
				}
			}
			else if (parameter.hasParameterAnnotation(Header.class)) {
				if (isNameless(parameter)) {
					problems.add(name + "argument " + (i + 1)
							+ " needs the header's name, @Header(\"…\"), or compile with -parameters");
				}
			}
			else if (isPayload(parameter) && !isCustom(parameter)) {
				payloads++;
				Type type = handler.resolve(parameter.getGenericParameterType());
				if (BeanMethod.isOpen(type)) {
					problems.add(name + "the payload has the type " + type.getTypeName()
							+ ", and neither the class nor the definition of the bean says what that is; declare it, as in"
							+ " @Bean Exporter<Order> or class OrderExporter extends Exporter<Order>");
				}
			}
		}
		if (payloads > 1) {
			problems.add(name + "has " + payloads + " arguments for the payload; " + ALLOWED);
		}
		if (BeanMethod.isAsynchronous(handler.returnedClass())) {
			problems.add(name + "returns " + handler.returnedClass().getName()
					+ ", but the task ends when the method returns; allowed are void or the result itself");
		}
		return problems;
	}

	MethodTaskHandler create(BeanMethod method) {
		MethodParameter payload = payload(method);
		HandlerMethodArgumentResolverComposite resolvers = new HandlerMethodArgumentResolverComposite();
		resolvers.addResolver(new HeaderArgumentResolver(this.beanFactory));
		resolvers.addResolver(new TaskArgumentResolver());
		resolvers.addResolvers(this.custom);
		resolvers.addResolver(new PayloadArgumentResolver(this.converter, method,
				(payload != null) ? PayloadValidation.of(payload, this.beanFactory) : null));
		TaskHandlerMethod handlerMethod = method.invocable();
		handlerMethod.setMessageMethodArgumentResolvers(resolvers);
		handlerMethod.setParameterNameDiscoverer(NAMES);
		return new MethodTaskHandler(handlerMethod, (index) -> isCustom(new MethodParameter(method.method(), index)),
				this.converter, method.returnedType());
	}

	/**
	 * {@code null} if a task without payload can be handled.
	 */
	@Nullable Type requiredPayload(BeanMethod method) {
		MethodParameter payload = payload(method);
		if (payload == null || payload.isOptional()) {
			return null;
		}
		Type type = method.resolve(payload.getGenericParameterType());
		try {
			return (this.converter.fromBytes(null, type) == null) ? type : null;
		}
		catch (PayloadConversionException ex) {
			return type;
		}
	}

	static boolean isPayload(MethodParameter parameter) {
		return !isTask(parameter) && !parameter.hasParameterAnnotation(Header.class)
				&& !parameter.hasParameterAnnotation(Headers.class);
	}

	static boolean isTask(MethodParameter parameter) {
		return parameter.getParameterType() == Task.class || parameter.getParameterType() == TaskContext.class;
	}

	private @Nullable MethodParameter payload(BeanMethod method) {
		for (int i = 0; i < method.method().getParameterCount(); i++) {
			MethodParameter parameter = new MethodParameter(method.method(), i);
			if (isPayload(parameter) && !isCustom(parameter)) {
				return parameter;
			}
		}
		return null;
	}

	private boolean isCustom(MethodParameter parameter) {
		return this.custom.stream().anyMatch((resolver) -> resolver.supportsParameter(parameter));
	}

	private static boolean takesHeaders(MethodParameter parameter) {
		return ResolvableType.forMethodParameter(parameter)
			.isAssignableFrom(ResolvableType.forClassWithGenerics(Map.class, String.class, String.class));
	}

	private static boolean isNameless(MethodParameter parameter) {
		Header header = parameter.getParameterAnnotation(Header.class);
		if (header == null || !header.name().isEmpty() || !header.value().isEmpty()) {
			return false;
		}
		parameter.initParameterNameDiscovery(NAMES);
		return parameter.getParameterName() == null;
	}

}
