package io.asynq.annotation;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

/**
 * Finds methods with an annotation on the classes of all beans, without creating any.
 *
 * @param <A> the annotation
 */
final class BeanMethods<A extends Annotation> {

	private static final Logger logger = LoggerFactory.getLogger(BeanMethods.class);

	private final ConfigurableListableBeanFactory beanFactory;

	private final Class<A> annotation;

	BeanMethods(ConfigurableListableBeanFactory beanFactory, Class<A> annotation) {
		this.beanFactory = beanFactory;
		this.annotation = annotation;
	}

	/**
	 * Visits the methods.
	 * @param visitor is called with each
	 */
	void forEach(Visitor<A> visitor) {
		for (String beanName : this.beanFactory.getBeanNamesForType(Object.class)) {
			if (!ScopedProxyUtils.isScopedTarget(beanName)) {
				visit(beanName, visitor);
			}
		}
	}

	private void visit(String beanName, Visitor<A> visitor) {
		try {
			Class<?> targetClass = targetClass(beanName);
			if (targetClass != null && AnnotationUtils.isCandidateClass(targetClass, this.annotation)) {
				Map<Method, A> methods = MethodIntrospector.selectMethods(targetClass,
						(MethodIntrospector.MetadataLookup<A>) (method) -> AnnotatedElementUtils
							.findMergedAnnotation(method, this.annotation));
				methods.forEach((method, found) -> visitor.visit(beanName, targetClass, method, found));
			}
		}
		catch (LinkageError | TypeNotPresentException ex) {
			// A library's class that needs another one which is not there
			logger.debug("Bean '{}' is not searched for {}", beanName, this.annotation, ex);
		}
	}

	private @Nullable Class<?> targetClass(String beanName) {
		Class<?> type = AutoProxyUtils.determineTargetClass(this.beanFactory, beanName);
		if (type != null && ScopedObject.class.isAssignableFrom(type)) {
			return AutoProxyUtils.determineTargetClass(this.beanFactory, ScopedProxyUtils.getTargetBeanName(beanName));
		}
		return type;
	}

	/**
	 * Is called with each method.
	 *
	 * @param <A> the annotation
	 */
	@FunctionalInterface
	interface Visitor<A extends Annotation> {

		void visit(String beanName, Class<?> targetClass, Method method, A annotation);

	}

}
