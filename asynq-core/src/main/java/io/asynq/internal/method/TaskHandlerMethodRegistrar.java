package io.asynq.internal.method;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

import io.asynq.annotation.HandlerMatching;
import io.asynq.annotation.TaskHandler;
import io.asynq.annotation.TaskHandlers;
import io.asynq.annotation.TaskRetry;
import io.asynq.handler.HandlerLimits;
import io.asynq.handler.HandlerSettings;
import io.asynq.handler.TaskMux;
import io.asynq.handler.TypePattern;
import io.asynq.internal.text.GoText;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.payload.PayloadConverter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Runs once all singletons exist, creates no bean, and reports all mistakes at once.
 */
public final class TaskHandlerMethodRegistrar implements SmartInitializingSingleton {

	private static final Logger logger = OneLineLogger.of(TaskHandlerMethodRegistrar.class);

	private final TaskMux mux;

	private final PayloadConverter converter;

	private final Supplier<Set<String>> limits;

	private final HandlerMatching matching;

	private final ConfigurableListableBeanFactory beanFactory;

	public TaskHandlerMethodRegistrar(TaskMux mux, PayloadConverter converter, Supplier<Set<String>> limits,
			HandlerMatching matching, ConfigurableListableBeanFactory beanFactory) {
		this.mux = mux;
		this.converter = converter;
		this.limits = limits;
		this.matching = matching;
		this.beanFactory = beanFactory;
	}

	@Override
	public void afterSingletonsInstantiated() {
		Scan scan = new Scan(this.beanFactory, new MethodTaskHandlerFactory(this.beanFactory, this.converter),
				new HandlerRegistrations(this.mux), this.limits, this.matching);
		new BeanMethods<>(this.beanFactory, TaskHandler.class, TaskHandlerMethodRegistrar::annotations,
				TaskHandlerMethodRegistrar.class)
			.forEach(scan::method);
		int count = scan.registrations.registerOrThrow();
		logger.debug("Registered @TaskHandler methods for {} task types", count);
	}

	/**
	 * Empty for a method with {@link TaskRetry} alone, which is a mistake.
	 */
	private static @Nullable Set<TaskHandler> annotations(Method method) {
		Set<TaskHandler> found = AnnotatedElementUtils.findMergedRepeatableAnnotations(method, TaskHandler.class,
				TaskHandlers.class);
		return (found.isEmpty() && !AnnotatedElementUtils.hasAnnotation(method, TaskRetry.class)) ? null : found;
	}

	private record Scan(ConfigurableListableBeanFactory beanFactory, MethodTaskHandlerFactory handlers,
			HandlerRegistrations registrations, Supplier<Set<String>> limits, HandlerMatching matching) {

		public void method(BeanMethod method, Set<TaskHandler> annotations) {
			String owner = method.toString();
			if (annotations.isEmpty()) {
				this.registrations.problem("@TaskRetry method " + owner
						+ ": is no handler, so nothing would be retried;" + " add @TaskHandler, or remove @TaskRetry");
				return;
			}
			this.handlers.problems(method).forEach(this.registrations::problem);
			MethodTaskHandler handler = this.handlers.create(method);
			for (TaskHandler annotation : annotations) {
				types(annotation, handler, method.targetClass(), owner);
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
				HandlerSettings settings = new HandlerSettingsReader(this.beanFactory).read(annotation, targetClass,
						handler.method(), limits(annotation, types, owner));
				patterns.forEach((pattern) -> this.registrations.add(pattern, handler, settings, owner));
			}
			catch (IllegalArgumentException ex) {
				this.registrations.problem("@TaskHandler method " + owner + ": " + ex.getMessage());
			}
		}

		private HandlerLimits limits(TaskHandler annotation, List<String> types, String owner) {
			List<String> names = resolved(annotation.limit(), owner);
			Set<String> configured = names.isEmpty() ? Set.of() : this.limits.get();
			for (String name : names) {
				if (!configured.contains(name)) {
					throw new IllegalArgumentException("limit '" + name + "' is not configured: set 'asynq.limits."
							+ name + ".concurrent' or 'asynq.limits." + name + ".rate'");
				}
			}
			boolean limited = annotation.maxConcurrent() > 0 && !types.isEmpty();
			// No configured limit has a colon in its name
			return new HandlerLimits(names,
					limited ? new HandlerLimits.Own("handler:" + String.join(",", new TreeSet<>(types)),
							annotation.maxConcurrent()) : null);
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
