package io.asynq.annotation;

import java.lang.reflect.Method;

import io.asynq.PayloadConverter;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolverComposite;

/**
 * Builds handlers from methods.
 */
final class MethodTaskHandlerFactory {

	private final ConfigurableBeanFactory beanFactory;

	private final PayloadConverter converter;

	MethodTaskHandlerFactory(ConfigurableBeanFactory beanFactory, PayloadConverter converter) {
		this.beanFactory = beanFactory;
		this.converter = converter;
	}

	/**
	 * Builds a handler; the bean is not created.
	 * @param beanName the bean
	 * @param method the method with the annotation
	 * @param targetClass the bean's class, without proxies
	 * @return the handler
	 * @throws IllegalStateException if a proxy hides the method
	 */
	MethodTaskHandler create(String beanName, Method method, Class<?> targetClass) {
		Class<?> exposed = this.beanFactory.getType(beanName);
		AopUtils.selectInvocableMethod(method, (exposed != null) ? exposed : targetClass);
		HandlerMethodArgumentResolverComposite resolvers = new HandlerMethodArgumentResolverComposite();
		resolvers.addResolver(new HeaderArgumentResolver(this.beanFactory));
		resolvers.addResolver(new TaskArgumentResolver());
		resolvers.addResolver(new PayloadArgumentResolver(this.converter, method, targetClass));
		TaskHandlerMethod handlerMethod = new TaskHandlerMethod(this.beanFactory, beanName, method);
		handlerMethod.setMessageMethodArgumentResolvers(resolvers);
		handlerMethod.setParameterNameDiscoverer(HandlerSignature.NAMES);
		return new MethodTaskHandler(handlerMethod, this.converter);
	}

}
