package io.asynq.annotation;

import java.util.ArrayList;
import java.util.List;

import io.asynq.scheduler.AsynqScheduler;
import io.asynq.scheduler.InvalidPeriodicTaskException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.Assert;

/**
 * Finds all methods with {@link PeriodicTask} and registers what they say with a
 * scheduler, once all singletons exist. Looks at classes and creates no bean. Tells all
 * mistakes at once by an {@link InvalidPeriodicTaskException}.
 */
public final class PeriodicTaskMethodRegistrar implements SmartInitializingSingleton, BeanFactoryAware {

	private static final Logger logger = LoggerFactory.getLogger(PeriodicTaskMethodRegistrar.class);

	private final ObjectProvider<AsynqScheduler> schedulers;

	private @Nullable ConfigurableListableBeanFactory beanFactory;

	/**
	 * Creates the registrar.
	 * @param schedulers the scheduler that gets the periodic tasks; without one nothing
	 * is done
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
			logger.debug("There is no scheduler, so nothing is searched for @PeriodicTask");
			return;
		}
		List<String> problems = new ArrayList<>();
		new BeanMethods<>(factory, PeriodicTask.class)
			.forEach((beanName, targetClass, method, annotation) -> register(scheduler,
					new PeriodicTaskMethod(factory, beanName, method, targetClass), annotation, problems));
		if (!problems.isEmpty()) {
			throw new InvalidPeriodicTaskException(problems);
		}
	}

	private static void register(AsynqScheduler scheduler, PeriodicTaskMethod method, PeriodicTask annotation,
			List<String> problems) {
		try {
			io.asynq.scheduler.PeriodicTask task = method.read(annotation);
			if (task != null) {
				scheduler.register(task);
			}
		}
		catch (InvalidPeriodicTaskException ex) {
			ex.problems().forEach((problem) -> problems.add("@PeriodicTask method " + method + ": " + problem));
		}
	}

}
