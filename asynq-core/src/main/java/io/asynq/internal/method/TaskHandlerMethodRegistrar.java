package io.asynq.internal.method;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

import io.asynq.annotation.DuplicateTaskHandlerException;
import io.asynq.annotation.HandlerMatching;
import io.asynq.annotation.InvalidTaskHandlerException;
import io.asynq.annotation.TaskHandler;
import io.asynq.annotation.TaskHandlers;
import io.asynq.annotation.TaskRetry;
import io.asynq.handler.HandlerLimits;
import io.asynq.handler.HandlerSettings;
import io.asynq.handler.TaskHandlerFunction;
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

	private final Map<TypePattern, Registration> byPattern = new LinkedHashMap<>();

	private final List<String> problems = new ArrayList<>();

	private final List<String> duplicates = new ArrayList<>();

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
		MethodTaskHandlerFactory handlers = new MethodTaskHandlerFactory(this.beanFactory, this.converter);
		new BeanMethods<>(this.beanFactory, TaskHandler.class, TaskHandlerMethodRegistrar::annotations,
				TaskHandlerMethodRegistrar.class)
			.forEach((method, annotations) -> read(handlers, method, annotations));
		int count = registerOrThrow();
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

	private void read(MethodTaskHandlerFactory handlers, BeanMethod method, Set<TaskHandler> annotations) {
		String owner = method.toString();
		if (annotations.isEmpty()) {
			this.problems.add("@TaskRetry method " + owner + ": is no handler, so nothing would be retried;"
					+ " add @TaskHandler, or remove @TaskRetry");
			return;
		}
		handlers.problems(method).forEach(this.problems::add);
		MethodTaskHandler handler = handlers.create(method);
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
			this.problems.add("@TaskHandler method " + owner + ": has no task type");
		}
		if (annotation.maxConcurrent() < 0) {
			this.problems.add("@TaskHandler method " + owner + ": maxConcurrent must not be negative, but is "
					+ annotation.maxConcurrent());
			return;
		}
		try {
			HandlerSettings settings = new HandlerSettingsReader(this.beanFactory).read(annotation, targetClass,
					handler.method(), limits(annotation, types, owner));
			patterns.forEach((pattern) -> add(pattern, handler, settings, owner));
		}
		catch (IllegalArgumentException ex) {
			this.problems.add("@TaskHandler method " + owner + ": " + ex.getMessage());
		}
	}

	private HandlerLimits limits(TaskHandler annotation, List<String> types, String owner) {
		List<String> names = resolved(annotation.limit(), owner);
		Set<String> configured = names.isEmpty() ? Set.of() : this.limits.get();
		for (String name : names) {
			if (!configured.contains(name)) {
				throw new IllegalArgumentException("limit '" + name + "' is not configured: set 'asynq.limits." + name
						+ ".concurrent' or 'asynq.limits." + name + ".rate'");
			}
		}
		boolean limited = annotation.maxConcurrent() > 0 && !types.isEmpty();
		// No configured limit has a colon in its name
		return new HandlerLimits(names, limited
				? new HandlerLimits.Own("handler:" + String.join(",", new TreeSet<>(types)), annotation.maxConcurrent())
				: null);
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
		this.problems.add("@TaskHandler method " + owner + ": the task type \"" + value + "\" " + problem);
		return null;
	}

	private void add(TypePattern pattern, TaskHandlerFunction handler, HandlerSettings settings, String owner) {
		Registration first = this.byPattern.putIfAbsent(pattern, new Registration(handler, settings, owner));
		if (first != null && !first.owner().equals(owner)) {
			duplicate(pattern, first.owner(), owner);
		}
		else if (first == null && isInMux(pattern.text())) {
			duplicate(pattern, "a handler registered with the TaskMux", owner);
		}
	}

	private int registerOrThrow() {
		if (!this.problems.isEmpty()) {
			this.problems.addAll(this.duplicates);
			throw new InvalidTaskHandlerException(this.problems);
		}
		if (!this.duplicates.isEmpty()) {
			throw new DuplicateTaskHandlerException(this.duplicates);
		}
		this.byPattern.forEach((pattern, found) -> this.mux.handle(pattern, found.handler(), found.settings()));
		return this.byPattern.size();
	}

	/**
	 * Handlers registered by hand are prefixes, so the same text means the same type.
	 */
	private boolean isInMux(String text) {
		return this.mux.patterns().stream().anyMatch((pattern) -> pattern.text().equals(text));
	}

	private void duplicate(TypePattern pattern, String first, String second) {
		this.duplicates.add("Task type '" + pattern + "' has two handlers, " + first + " and " + second
				+ ": keep one of them, or give them different types");
	}

	private record Registration(TaskHandlerFunction handler, HandlerSettings settings, String owner) {
	}

}
