package io.asynq.annotation.method;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.asynq.annotation.PeriodicTask;
import io.asynq.annotation.PeriodicTasks;
import io.asynq.logging.OneLineLogger;
import io.asynq.scheduler.AsynqScheduler;
import io.asynq.scheduler.InvalidPeriodicTaskException;
import io.asynq.scheduler.PeriodicTaskDefinition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.Assert;

/**
 * Finds all {@link PeriodicTask} methods and registers their periodic tasks with the
 * scheduler, once all singletons exist. It creates no bean, and reports all mistakes at
 * once in an {@link InvalidPeriodicTaskException}.
 */
public final class PeriodicTaskMethodRegistrar implements SmartInitializingSingleton, BeanFactoryAware {

	private static final Logger logger = OneLineLogger.of(PeriodicTaskMethodRegistrar.class);

	private final ObjectProvider<AsynqScheduler> schedulers;

	private @Nullable ConfigurableListableBeanFactory beanFactory;

	/**
	 * Creates the registrar.
	 * @param schedulers the scheduler; without one nothing is done
	 */
	public PeriodicTaskMethodRegistrar(ObjectProvider<AsynqScheduler> schedulers) {
		this.schedulers = schedulers;
	}

	@Override
	public void setBeanFactory(BeanFactory beanFactory) {
		this.beanFactory = (ConfigurableListableBeanFactory) beanFactory;
	}

	@Override
	public void afterSingletonsInstantiated() {
		ConfigurableListableBeanFactory factory = this.beanFactory;
		Assert.state(factory != null, "setBeanFactory must be called before");
		AsynqScheduler scheduler = this.schedulers.getIfAvailable();
		if (scheduler == null) {
			logger.debug("There is no scheduler, so no @PeriodicTask method is registered");
			return;
		}
		Scan scan = new Scan(factory, scheduler, new ArrayList<>());
		new BeanMethods<>(factory, PeriodicTask.class, PeriodicTaskMethodRegistrar::annotations).forEach(scan::method);
		if (!scan.problems.isEmpty()) {
			throw new InvalidPeriodicTaskException(scan.problems);
		}
	}

	private static @Nullable Set<PeriodicTask> annotations(Method method) {
		Set<PeriodicTask> found = new LinkedHashSet<>(
				AnnotatedElementUtils.findMergedRepeatableAnnotations(method, PeriodicTask.class, PeriodicTasks.class));
		return found.isEmpty() ? null : found;
	}

	/**
	 * One search through all beans.
	 */
	private record Scan(ConfigurableListableBeanFactory factory, AsynqScheduler scheduler, List<String> problems) {

		public void method(String beanName, Class<?> targetClass, Method method, Set<PeriodicTask> annotations) {
			PeriodicTaskMethod found = new PeriodicTaskMethod(this.factory, beanName, method, targetClass);
			annotations.forEach((annotation) -> register(found, annotation));
		}

		private void register(PeriodicTaskMethod method, PeriodicTask annotation) {
			try {
				PeriodicTaskDefinition task = method.read(annotation);
				if (task != null) {
					this.scheduler.register(task);
				}
			}
			catch (InvalidPeriodicTaskException ex) {
				ex.problems()
					.forEach((problem) -> this.problems.add("@PeriodicTask method " + method + ": " + problem));
			}
		}

	}

}
