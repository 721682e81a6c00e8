package io.asynq.annotation.method;

import java.lang.reflect.Method;
import java.util.List;

import io.asynq.payload.PayloadConverter;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.MethodParameter;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolverComposite;

/**
 * Creates handlers from methods.
 */
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

	List<String> problems(Method method) {
		return HandlerSignature.problems(method, this::isCustom);
	}

	/**
	 * Creates a handler, but not the bean.
	 * @param targetClass the bean's class, without proxies
	 * @throws IllegalStateException if a proxy hides the method
	 */
	MethodTaskHandler create(String beanName, Method method, Class<?> targetClass) {
		Class<?> exposed = this.beanFactory.getType(beanName);
		AopUtils.selectInvocableMethod(method, (exposed != null) ? exposed : targetClass);
		HandlerMethodArgumentResolverComposite resolvers = new HandlerMethodArgumentResolverComposite();
		resolvers.addResolver(new HeaderArgumentResolver(this.beanFactory));
		resolvers.addResolver(new TaskArgumentResolver());
		resolvers.addResolvers(this.custom);
		resolvers.addResolver(new PayloadArgumentResolver(this.converter, method, targetClass, validation(method)));
		TaskHandlerMethod handlerMethod = new TaskHandlerMethod(this.beanFactory, beanName, method);
		handlerMethod.setMessageMethodArgumentResolvers(resolvers);
		handlerMethod.setParameterNameDiscoverer(HandlerSignature.NAMES);
		return new MethodTaskHandler(handlerMethod, this.converter,
				GenericTypeResolver.resolveType(method.getGenericReturnType(), targetClass));
	}

	private @Nullable PayloadValidation validation(Method method) {
		for (int i = 0; i < method.getParameterCount(); i++) {
			MethodParameter parameter = new MethodParameter(method, i);
			if (HandlerSignature.isPayload(parameter) && !isCustom(parameter)) {
				return PayloadValidation.of(parameter, this.beanFactory);
			}
		}
		return null;
	}

	private boolean isCustom(MethodParameter parameter) {
		return this.custom.stream().anyMatch((resolver) -> resolver.supportsParameter(parameter));
	}

}
