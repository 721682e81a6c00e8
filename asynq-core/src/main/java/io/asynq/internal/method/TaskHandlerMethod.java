package io.asynq.internal.method;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.SpringProxy;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.messaging.handler.HandlerMethod;
import org.springframework.messaging.handler.invocation.InvocableHandlerMethod;
import org.springframework.util.ReflectionUtils;

/**
 * Gets its bean from the factory at each call, because the bean can be lazy, scoped, or a
 * proxy that has only the methods of an interface.
 */
final class TaskHandlerMethod extends InvocableHandlerMethod {

	private final BeanFactory beanFactory;

	private final String beanName;

	TaskHandlerMethod(BeanFactory beanFactory, String beanName, Method method) {
		super(new HandlerMethod(beanName, beanFactory, method));
		this.beanFactory = beanFactory;
		this.beanName = beanName;
	}

	@Override
	protected @Nullable Object doInvoke(@Nullable Object... args) throws Exception {
		Object bean = this.beanFactory.getBean(this.beanName);
		try {
			return invocableOn(bean).invoke(bean, args);
		}
		catch (InvocationTargetException ex) {
			ReflectionUtils.rethrowException(ex.getTargetException());
			throw new IllegalStateException("rethrowException always throws", ex);
		}
	}

	private Method invocableOn(Object bean) {
		Method method = getMethod();
		if (!(bean instanceof SpringProxy) && method.getDeclaringClass().isInstance(bean)) {
			return method;
		}
		// The kind of proxy is known only once the bean exists
		Method invocable = AopUtils.selectInvocableMethod(method, bean.getClass());
		ReflectionUtils.makeAccessible(invocable);
		return invocable;
	}

}
