package io.asynq.internal.method;

import java.lang.reflect.Type;
import java.util.List;

import io.asynq.payload.PayloadConversionException;
import io.asynq.payload.PayloadConverter;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.MethodParameter;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolverComposite;

final class MethodTaskHandlerFactory {

	private final ConfigurableBeanFactory beanFactory;

	private final PayloadConverter converter;

	/** Resolvers of the application, which take precedence over the payload. */
	private final List<HandlerMethodArgumentResolver> custom;

	MethodTaskHandlerFactory(ConfigurableBeanFactory beanFactory, PayloadConverter converter) {
		this.beanFactory = beanFactory;
		this.converter = converter;
		this.custom = beanFactory.getBeanProvider(HandlerMethodArgumentResolver.class).orderedStream().toList();
	}

	List<String> problems(BeanMethod method) {
		return HandlerSignature.problems(method, this::isCustom);
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
		handlerMethod.setParameterNameDiscoverer(HandlerSignature.NAMES);
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

	private @Nullable MethodParameter payload(BeanMethod method) {
		for (int i = 0; i < method.method().getParameterCount(); i++) {
			MethodParameter parameter = new MethodParameter(method.method(), i);
			if (HandlerSignature.isPayload(parameter) && !isCustom(parameter)) {
				return parameter;
			}
		}
		return null;
	}

	private boolean isCustom(MethodParameter parameter) {
		return this.custom.stream().anyMatch((resolver) -> resolver.supportsParameter(parameter));
	}

}
