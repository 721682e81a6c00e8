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
import io.asynq.annotation.TaskRetry;
import io.asynq.broker.SemaphoreStore;
import io.asynq.gotext.GoText;
import io.asynq.handler.HandlerSettings;
import io.asynq.handler.TaskMux;
import io.asynq.handler.TaskSemaphore;
import io.asynq.handler.TypePattern;
import io.asynq.logging.OneLineLogger;
import io.asynq.payload.PayloadConverter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

import org.springframework.beans.BeansException;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Finds all {@link TaskHandler} methods and registers them with a {@link TaskMux}, once
 * all singletons exist. It creates no bean, and reports all mistakes at once in an
 * {@link InvalidTaskHandlerException}.
 */
public final class TaskHandlerMethodRegistrar implements SmartInitializingSingleton {

	private static final Logger logger = OneLineLogger.of(TaskHandlerMethodRegistrar.class);

	private final TaskMux mux;

	private final PayloadConverter converter;

	private final Supplier<SemaphoreStore> semaphores;

	private final HandlerMatching matching;

	private final ConfigurableListableBeanFactory beanFactory;

	/**
	 * Creates the registrar.
	 * @param semaphores the store for {@link TaskHandler#maxConcurrent()}, called only if
	 * a handler has it
	 */
	public TaskHandlerMethodRegistrar(TaskMux mux, PayloadConverter converter, Supplier<SemaphoreStore> semaphores,
			HandlerMatching matching, ConfigurableListableBeanFactory beanFactory) {
		this.mux = mux;
		this.converter = converter;
		this.semaphores = semaphores;
		this.matching = matching;
		this.beanFactory = beanFactory;
	}

	@Override
	public void afterSingletonsInstantiated() {
		Scan scan = new Scan(this.beanFactory, new MethodTaskHandlerFactory(this.beanFactory, this.converter),
				new HandlerRegistrations(this.mux), this.semaphores, this.matching);
		new BeanMethods<>(this.beanFactory, TaskHandler.class, TaskHandlerMethodRegistrar::annotations)
			.forEach(scan::method);
		int count = scan.registrations.registerOrThrow();
		logger.debug("Registered @TaskHandler methods for {} task types", count);
	}

	/**
	 * Returns nothing for other methods, and an empty set for one that only has
	 * {@link TaskRetry}.
	 */
	private static @Nullable Set<TaskHandler> annotations(Method method) {
		Set<TaskHandler> found = AnnotatedElementUtils.findMergedRepeatableAnnotations(method, TaskHandler.class,
				TaskHandlers.class);
		return (found.isEmpty() && !AnnotatedElementUtils.hasAnnotation(method, TaskRetry.class)) ? null : found;
	}

	/**
	 * One search through all beans.
	 */
	private record Scan(ConfigurableListableBeanFactory beanFactory, MethodTaskHandlerFactory handlers,
			HandlerRegistrations registrations, Supplier<SemaphoreStore> semaphores, HandlerMatching matching) {

		public void method(String beanName, Class<?> targetClass, Method method, Set<TaskHandler> annotations) {
			if (annotations.isEmpty()) {
				this.registrations.problem("@TaskRetry method " + HandlerSignature.describe(method) + " of bean '"
						+ beanName + "': is no handler, so nothing would be retried; add @TaskHandler, or remove"
						+ " @TaskRetry");
				return;
			}
			List<String> problems = this.handlers.problems(method);
			problems.forEach(this.registrations::problem);
			String owner = HandlerSignature.describe(method) + " of bean '" + beanName + "'";
			try {
				MethodTaskHandler handler = this.handlers.create(beanName, method, targetClass);
				for (TaskHandler annotation : annotations) {
					types(annotation, handler, targetClass, owner);
				}
			}
			catch (IllegalStateException ex) {
				this.registrations.problem("@TaskHandler method " + owner + ": " + ex.getMessage());
			}
		}

		private void types(TaskHandler annotation, MethodTaskHandler handler, Class<?> targetClass, String owner) {
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
				HandlerSettings settings = new HandlerSettingsReader(this.beanFactory).read(annotation, targetClass,
						handler.method(), limit);
				patterns.forEach((pattern) -> this.registrations.add(pattern, handler, settings, owner));
			}
			catch (BeansException ex) {
				this.registrations.problem("@TaskHandler method " + owner + ": maxConcurrent needs an"
						+ " io.asynq.broker.Broker bean: " + ex.getMessage());
			}
			catch (IllegalArgumentException ex) {
				this.registrations.problem("@TaskHandler method " + owner + ": " + ex.getMessage());
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
