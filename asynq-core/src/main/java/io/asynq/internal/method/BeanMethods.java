package io.asynq.internal.method;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.Set;

import io.asynq.internal.text.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.springframework.aop.Pointcut;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.scheduling.annotation.AsyncAnnotationAdvisor;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.util.ClassUtils;

/**
 * Looks at classes and creates no bean, so that lazy, scoped and proxied beans are found
 * as well, and searches parent contexts only where nobody else does.
 */
final class BeanMethods<T> {

	private static final Logger logger = OneLineLogger.of(BeanMethods.class);

	private final ConfigurableListableBeanFactory beanFactory;

	private final Class<? extends Annotation> annotation;

	private final MethodIntrospector.MetadataLookup<T> lookup;

	private final Class<?> searcher;

	BeanMethods(ConfigurableListableBeanFactory beanFactory, Class<? extends Annotation> annotation,
			MethodIntrospector.MetadataLookup<T> lookup, Class<?> searcher) {
		this.beanFactory = beanFactory;
		this.annotation = annotation;
		this.lookup = lookup;
		this.searcher = searcher;
	}

	void forEach(Visitor<T> visitor) {
		Set<String> seen = new HashSet<>();
		BeanFactory each = this.beanFactory;
		while (each instanceof ConfigurableListableBeanFactory beans
				&& (each == this.beanFactory || beans.getBeanNamesForType(this.searcher, true, false).length == 0)) {
			Pointcut asynchronous = asynchronous(beans);
			for (String beanName : beans.getBeanNamesForType(Object.class)) {
				if (!ScopedProxyUtils.isScopedTarget(beanName) && seen.add(beanName)) {
					visit(beans, asynchronous, beanName, visitor);
				}
			}
			each = beans.getParentBeanFactory();
		}
	}

	BeanMethod implementing(Method declared, String beanName) {
		Class<?> found = targetClass(this.beanFactory, beanName);
		Class<?> targetClass = (found != null) ? found : declared.getDeclaringClass();
		return new BeanMethod(this.beanFactory, beanName, targetClass,
				ClassUtils.getMostSpecificMethod(declared, targetClass), asynchronous(this.beanFactory));
	}

	private void visit(ConfigurableListableBeanFactory beans, Pointcut asynchronous, String beanName,
			Visitor<T> visitor) {
		try {
			Class<?> targetClass = targetClass(beans, beanName);
			if (targetClass != null && AnnotationUtils.isCandidateClass(targetClass, this.annotation)) {
				MethodIntrospector.selectMethods(targetClass, this.lookup)
					.forEach((method, found) -> visitor
						.visit(new BeanMethod(beans, beanName, targetClass, method, asynchronous), found));
			}
		}
		catch (LinkageError | TypeNotPresentException ex) {
			// A class of a library whose own dependency is missing
			logger.debug("Bean '{}' is not searched for @{}", beanName, this.annotation.getSimpleName(), ex);
		}
	}

	private static @Nullable Class<?> targetClass(ConfigurableListableBeanFactory beans, String beanName) {
		Class<?> type = AutoProxyUtils.determineTargetClass(beans, beanName);
		if (type != null && ScopedObject.class.isAssignableFrom(type)) {
			return AutoProxyUtils.determineTargetClass(beans, ScopedProxyUtils.getTargetBeanName(beanName));
		}
		return type;
	}

	/** Where Spring would call a method in another thread. */
	private static Pointcut asynchronous(ListableBeanFactory beanFactory) {
		ComposablePointcut asynchronous = new ComposablePointcut(new AsyncAnnotationAdvisor().getPointcut());
		for (String beanName : beanFactory.getBeanNamesForAnnotation(EnableAsync.class)) {
			EnableAsync enabled = beanFactory.findAnnotationOnBean(beanName, EnableAsync.class);
			if (enabled != null && enabled.annotation() != Annotation.class) {
				AsyncAnnotationAdvisor advisor = new AsyncAnnotationAdvisor();
				advisor.setAsyncAnnotationType(enabled.annotation());
				asynchronous.union(advisor.getPointcut());
			}
		}
		return asynchronous;
	}

	@FunctionalInterface
	interface Visitor<T> {

		void visit(BeanMethod method, T found);

	}

}
