package io.asynq.annotation.method;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.asynq.annotation.HandlerMatching;
import io.asynq.annotation.InvalidTaskHandlerException;
import io.asynq.annotation.TaskHandler;
import io.asynq.annotation.TaskHandlers;
import io.asynq.broker.SemaphoreStore;
import io.asynq.gotext.GoText;
import io.asynq.handler.TaskMux;
import io.asynq.handler.TaskSemaphore;
import io.asynq.handler.TypePattern;
import io.asynq.logging.OneLineLogger;
import io.asynq.payload.PayloadConverter;
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
 * Finds all {@link TaskHandler} methods and registers them with a {@link TaskMux}, once
 * all singletons exist. It creates no bean, and reports all mistakes at once in an
 * {@link InvalidTaskHandlerException}.
 */
public final class TaskHandlerMethodRegistrar implements SmartInitializingSingleton, BeanFactoryAware {

	private static final Logger logger = OneLineLogger.of(TaskHandlerMethodRegistrar.class);

	private final TaskMux mux;

	private final PayloadConverter converter;

	private final Supplier<SemaphoreStore> semaphores;

	private final HandlerMatching matching;

	private @Nullable ConfigurableListableBeanFactory beanFactory;

	/**
	 * Creates the registrar.
	 * @param semaphores the store for {@link TaskHandler#maxConcurrent()}, called only if
	 * a handler has it
	 */
	public TaskHandlerMethodRegistrar(TaskMux mux, PayloadConverter converter, Supplier<SemaphoreStore> semaphores,
			HandlerMatching matching) {
		this.mux = mux;
		this.converter = converter;
		this.semaphores = semaphores;
		this.matching = matching;
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
				new HandlerRegistrations(this.mux), this.semaphores, this.matching);
		new BeanMethods<>(factory, TaskHandler.class, TaskHandlerMethodRegistrar::annotations).forEach(scan::method);
		int count = scan.registrations.registerOrThrow();
		logger.debug("Registered @TaskHandler methods for {} task types", count);
	}

	private static @Nullable Set<TaskHandler> annotations(Method method) {
		Set<TaskHandler> found = AnnotatedElementUtils.findMergedRepeatableAnnotations(method, TaskHandler.class,
				TaskHandlers.class);
		return found.isEmpty() ? null : found;
	}

	/**
	 * One search through all beans.
	 */
	private record Scan(ConfigurableListableBeanFactory beanFactory, MethodTaskHandlerFactory handlers,
			HandlerRegistrations registrations, Supplier<SemaphoreStore> semaphores, HandlerMatching matching) {

		public void method(String beanName, Class<?> targetClass, Method method, Set<TaskHandler> annotations) {
			List<String> problems = this.handlers.problems(method);
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
			List<String> types = new ArrayList<>();
			List<TypePattern> patterns = new ArrayList<>();
			for (String type : resolved(annotation.type(), owner)) {
				types.add(type);
				patterns.add(this.matching.pattern(type));
			}
			for (String type : resolved(annotation.exact(), owner)) {
				types.add(type);
				patterns.add(TypePattern.exact(type));
			}
			if (annotation.type().length + annotation.exact().length == 0) {
				this.registrations.problem("@TaskHandler method " + owner + ": has no task type");
			}
			if (annotation.maxConcurrent() < 0) {
				this.registrations.problem("@TaskHandler method " + owner
						+ ": maxConcurrent must not be negative, but is " + annotation.maxConcurrent());
				return;
			}
			try {
				TaskSemaphore limit = limit(types, annotation.maxConcurrent());
				patterns.forEach((pattern) -> this.registrations.add(pattern, handler, limit, owner));
			}
			catch (BeansException ex) {
				this.registrations.problem("@TaskHandler method " + owner + ": maxConcurrent needs an"
						+ " io.asynq.broker.Broker bean: " + ex.getMessage());
			}
		}

		private @Nullable TaskSemaphore limit(List<String> types, int maxConcurrent) {
			if (maxConcurrent == 0 || types.isEmpty()) {
				return null;
			}
			String scope = "handler:" + types.stream().sorted().collect(Collectors.joining(","));
			return new TaskSemaphore(this.semaphores.get(), scope, maxConcurrent);
		}

		private List<String> resolved(String[] values, String owner) {
			return Arrays.stream(values).map((value) -> resolve(value, owner)).filter(Objects::nonNull).toList();
		}

		private @Nullable String resolve(String value, String owner) {
			String problem;
			try {
				String type = new AttributeResolver(this.beanFactory).resolve(value);
				if (!GoText.isBlank(type)) {
					return type;
				}
				problem = "is blank; name the task type";
			}
			catch (IllegalArgumentException ex) {
				problem = ex.getMessage();
			}
			this.registrations.problem("@TaskHandler method " + owner + ": the task type \"" + value + "\" " + problem);
			return null;
		}

	}

}
