package io.asynq.annotation;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

import io.asynq.Names;
import io.asynq.PayloadConverter;
import io.asynq.broker.Broker;
import io.asynq.handler.TaskMux;
import io.asynq.handler.TaskSemaphore;
import io.asynq.logging.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

import org.springframework.beans.BeansException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.Assert;

/**
 * Finds all methods with {@link TaskHandler} and registers them with a {@link TaskMux},
 * once all singletons exist. Looks at classes and creates no bean, so lazy, scoped and
 * proxied beans are found like any other. Tells all mistakes at once by an
 * {@link InvalidTaskHandlerException}.
 */
public final class TaskHandlerMethodRegistrar implements SmartInitializingSingleton, BeanFactoryAware {

	private static final Logger logger = OneLineLogger.of(TaskHandlerMethodRegistrar.class);

	private final TaskMux mux;

	private final PayloadConverter converter;

	private final Supplier<Broker> broker;

	private @Nullable ConfigurableListableBeanFactory beanFactory;

	/**
	 * Creates the registrar.
	 * @param mux gets the handlers
	 * @param converter turns payloads into arguments and what is returned into results
	 * @param broker keeps the tokens of handlers with
	 * {@link TaskHandler#maxConcurrent()}; asked if there is one
	 */
	public TaskHandlerMethodRegistrar(TaskMux mux, PayloadConverter converter, Supplier<Broker> broker) {
		this.mux = mux;
		this.converter = converter;
		this.broker = broker;
	}

	@Override
	public void setBeanFactory(BeanFactory beanFactory) {
		this.beanFactory = (ConfigurableListableBeanFactory) beanFactory;
	}

	@Override
	public void afterSingletonsInstantiated() {
		ConfigurableListableBeanFactory factory = this.beanFactory;
		Assert.state(factory != null, "setBeanFactory must be called before");
		Scan scan = new Scan(factory, new MethodTaskHandlerFactory(factory, this.converter),
				new HandlerRegistrations(this.mux), new HandlerLimits(this.broker));
		new BeanMethods<>(factory, TaskHandler.class, TaskHandlerMethodRegistrar::annotations).forEach(scan::method);
		int count = scan.registrations.registerOrThrow();
		logger.debug("{} task types have a @TaskHandler method", count);
	}

	private static @Nullable Set<TaskHandler> annotations(Method method) {
		Set<TaskHandler> found = AnnotatedElementUtils.findMergedRepeatableAnnotations(method, TaskHandler.class,
				TaskHandlers.class);
		return found.isEmpty() ? null : found;
	}

	/**
	 * One look at all beans.
	 *
	 * @param beanFactory knows the beans
	 * @param handlers builds handlers
	 * @param registrations collects handlers and mistakes
	 * @param limits bounds handlers
	 */
	private record Scan(ConfigurableListableBeanFactory beanFactory, MethodTaskHandlerFactory handlers,
			HandlerRegistrations registrations, HandlerLimits limits) {

		void method(String beanName, Class<?> targetClass, Method method, Set<TaskHandler> annotations) {
			List<String> problems = HandlerSignature.problems(method);
			problems.forEach(this.registrations::problem);
			String owner = HandlerSignature.describe(method) + " of bean '" + beanName + "'";
			try {
				MethodTaskHandler handler = this.handlers.create(beanName, method, targetClass);
				for (TaskHandler annotation : annotations) {
					types(annotation, handler, owner);
				}
			}
			catch (IllegalStateException ex) {
				this.registrations.problem("@TaskHandler method " + owner + ": " + ex.getMessage());
			}
		}

		private void types(TaskHandler annotation, MethodTaskHandler handler, String owner) {
			if (annotation.type().length == 0) {
				this.registrations.problem("@TaskHandler method " + owner + ": names no task type");
			}
			List<String> types = new ArrayList<>();
			for (String value : annotation.type()) {
				String type = resolve(value, owner);
				if (type != null) {
					types.add(type);
				}
			}
			if (annotation.maxConcurrent() < 0) {
				this.registrations.problem("@TaskHandler method " + owner
						+ ": maxConcurrent must not be negative, but is " + annotation.maxConcurrent());
				return;
			}
			try {
				TaskSemaphore limit = this.limits.of(types, annotation.maxConcurrent());
				types.forEach((type) -> this.registrations.add(type, handler, limit, owner));
			}
			catch (BeansException ex) {
				this.registrations.problem("@TaskHandler method " + owner + ": maxConcurrent needs a "
						+ Broker.class.getName() + " bean: " + ex.getMessage());
			}
		}

		private @Nullable String resolve(String value, String owner) {
			String problem;
			try {
				String type = new AttributeResolver(this.beanFactory).resolve(value);
				if (!Names.isBlank(type)) {
					return type;
				}
				problem = "is blank; name the type it works on";
			}
			catch (IllegalArgumentException ex) {
				problem = ex.getMessage();
			}
			this.registrations.problem("@TaskHandler method " + owner + ": the task type \"" + value + "\" " + problem);
			return null;
		}

	}

}
