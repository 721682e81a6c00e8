package io.asynq.annotation;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.asynq.scheduler.AsynqScheduler;
import io.asynq.scheduler.InvalidPeriodicTaskException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.Assert;

/**
 * Finds all methods with {@link PeriodicTask} and registers what they say with a
 * scheduler, once all singletons exist. Looks at classes and creates no bean. Tells all
 * mistakes at once by an {@link InvalidPeriodicTaskException}.
 */
public final class PeriodicTaskMethodRegistrar implements SmartInitializingSingleton, BeanFactoryAware {

	private static final Logger logger = LoggerFactory.getLogger(PeriodicTaskMethodRegistrar.class);

	private final AsynqScheduler scheduler;

	private @Nullable ConfigurableListableBeanFactory beanFactory;

	/**
	 * Creates the registrar.
	 * @param scheduler gets the periodic tasks
	 */
	public PeriodicTaskMethodRegistrar(AsynqScheduler scheduler) {
		this.scheduler = scheduler;
	}

	@Override
	public void setBeanFactory(BeanFactory beanFactory) {
		this.beanFactory = (ConfigurableListableBeanFactory) beanFactory;
	}

	@Override
	public void afterSingletonsInstantiated() {
		ConfigurableListableBeanFactory factory = this.beanFactory;
		Assert.state(factory != null, "setBeanFactory must be called before");
		List<String> problems = new ArrayList<>();
		for (String beanName : factory.getBeanNamesForType(Object.class)) {
			if (!ScopedProxyUtils.isScopedTarget(beanName)) {
				bean(factory, beanName, problems);
			}
		}
		if (!problems.isEmpty()) {
			throw new InvalidPeriodicTaskException(problems);
		}
	}

	private void bean(ConfigurableListableBeanFactory factory, String beanName, List<String> problems) {
		try {
			Class<?> targetClass = targetClass(factory, beanName);
			if (targetClass != null && AnnotationUtils.isCandidateClass(targetClass, PeriodicTask.class)) {
				annotatedMethods(targetClass).forEach((method, annotations) -> {
					PeriodicTaskMethod found = new PeriodicTaskMethod(factory, beanName, method, targetClass);
					annotations.forEach((annotation) -> register(found, annotation, problems));
				});
			}
		}
		catch (LinkageError | TypeNotPresentException ex) {
			// A library's class that needs another one which is not there: no task
			logger.debug("Bean '{}' is not searched for @PeriodicTask", beanName, ex);
		}
	}

	private void register(PeriodicTaskMethod method, PeriodicTask annotation, List<String> problems) {
		try {
			io.asynq.scheduler.PeriodicTask task = method.read(annotation);
			if (task != null) {
				this.scheduler.register(task);
			}
		}
		catch (InvalidPeriodicTaskException ex) {
			ex.problems().forEach((problem) -> problems.add("@PeriodicTask method " + method + ": " + problem));
		}
	}

	private static Map<Method, Set<PeriodicTask>> annotatedMethods(Class<?> targetClass) {
		return MethodIntrospector.selectMethods(targetClass,
				(MethodIntrospector.MetadataLookup<Set<PeriodicTask>>) (method) -> {
					Set<PeriodicTask> found = new LinkedHashSet<>(AnnotatedElementUtils
						.findMergedRepeatableAnnotations(method, PeriodicTask.class, PeriodicTasks.class));
					return found.isEmpty() ? null : found;
				});
	}

	private static @Nullable Class<?> targetClass(ConfigurableListableBeanFactory factory, String beanName) {
		Class<?> type = AutoProxyUtils.determineTargetClass(factory, beanName);
		if (type != null && ScopedObject.class.isAssignableFrom(type)) {
			return AutoProxyUtils.determineTargetClass(factory, ScopedProxyUtils.getTargetBeanName(beanName));
		}
		return type;
	}

}
