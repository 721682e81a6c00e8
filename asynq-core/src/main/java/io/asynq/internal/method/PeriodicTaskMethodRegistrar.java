package io.asynq.internal.method;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.asynq.annotation.PeriodicTask;
import io.asynq.annotation.PeriodicTasks;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.payload.PayloadConverter;
import io.asynq.schedule.AsynqScheduler;
import io.asynq.schedule.InvalidPeriodicTaskException;
import io.asynq.schedule.PeriodicTaskDefinition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Runs once all singletons exist, creates no bean, and reports all mistakes at once.
 */
public final class PeriodicTaskMethodRegistrar implements SmartInitializingSingleton {

	private static final Logger logger = OneLineLogger.of(PeriodicTaskMethodRegistrar.class);

	private final ObjectProvider<AsynqScheduler> schedulers;

	private final PayloadConverter converter;

	private final ConfigurableListableBeanFactory beanFactory;

	public PeriodicTaskMethodRegistrar(ObjectProvider<AsynqScheduler> schedulers, PayloadConverter converter,
			ConfigurableListableBeanFactory beanFactory) {
		this.schedulers = schedulers;
		this.converter = converter;
		this.beanFactory = beanFactory;
	}

	@Override
	public void afterSingletonsInstantiated() {
		AsynqScheduler scheduler = this.schedulers.getIfAvailable();
		if (scheduler == null) {
			logger.debug("There is no scheduler, so no @PeriodicTask method is registered");
			return;
		}
		List<String> problems = new ArrayList<>();
		MethodTaskHandlerFactory handlers = new MethodTaskHandlerFactory(this.beanFactory, this.converter);
		new BeanMethods<>(this.beanFactory, PeriodicTask.class, PeriodicTaskMethodRegistrar::annotations,
				PeriodicTaskMethodRegistrar.class)
			.forEach((method, annotations) -> {
				PeriodicTaskMethod found = new PeriodicTaskMethod(this.beanFactory, handlers, method);
				annotations.forEach((annotation) -> register(scheduler, found, annotation, problems));
			});
		if (!problems.isEmpty()) {
			throw new InvalidPeriodicTaskException(problems);
		}
	}

	private static @Nullable Set<PeriodicTask> annotations(Method method) {
		Set<PeriodicTask> found = new LinkedHashSet<>(
				AnnotatedElementUtils.findMergedRepeatableAnnotations(method, PeriodicTask.class, PeriodicTasks.class));
		return found.isEmpty() ? null : found;
	}

	private static void register(AsynqScheduler scheduler, PeriodicTaskMethod method, PeriodicTask annotation,
			List<String> problems) {
		try {
			PeriodicTaskDefinition task = method.read(annotation);
			if (task != null) {
				scheduler.register(task);
			}
		}
		catch (InvalidPeriodicTaskException ex) {
			ex.problems().forEach((problem) -> problems.add("@PeriodicTask method " + method + ": " + problem));
		}
	}

}
