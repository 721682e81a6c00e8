package io.asynq.internal.method;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.asynq.Task;
import io.asynq.annotation.InvalidTaskAggregatorException;
import io.asynq.annotation.TaskAggregator;
import io.asynq.handler.TaskAggregatorFunction;
import io.asynq.handler.TaskAggregators;
import io.asynq.internal.text.GoText;
import io.asynq.payload.PayloadConverter;
import io.asynq.server.ServerOptions;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/**
 * Runs once all singletons exist, creates no bean, and reports all mistakes at once.
 */
public final class TaskAggregatorRegistrar implements SmartInitializingSingleton {

	private static final Method AGGREGATE = ClassUtils.getMethod(TaskAggregatorFunction.class, "aggregate",
			(Class<?>[]) null);

	private final TaskAggregators aggregators;

	private final PayloadConverter converter;

	private final ObjectProvider<ServerOptions> servers;

	private final ConfigurableListableBeanFactory beanFactory;

	private final List<String> problems = new ArrayList<>();

	private final Map<Place, Found> found = new LinkedHashMap<>();

	public TaskAggregatorRegistrar(TaskAggregators aggregators, PayloadConverter converter,
			ObjectProvider<ServerOptions> servers, ConfigurableListableBeanFactory beanFactory) {
		this.aggregators = aggregators;
		this.converter = converter;
		this.servers = servers;
		this.beanFactory = beanFactory;
	}

	@Override
	public void afterSingletonsInstantiated() {
		BeanMethods<TaskAggregator> methods = new BeanMethods<>(this.beanFactory, TaskAggregator.class,
				(method) -> AnnotatedElementUtils.findMergedAnnotation(method, TaskAggregator.class),
				TaskAggregatorRegistrar.class);
		for (String beanName : this.beanFactory.getBeanNamesForType(TaskAggregatorFunction.class)) {
			if (!ScopedProxyUtils.isScopedTarget(beanName)) {
				BeanMethod method = methods.implementing(AGGREGATE, beanName);
				method.problems()
					.forEach((problem) -> this.problems.add("TaskAggregatorFunction " + method + ": " + problem));
				add("", "", new BeanAggregator(this.beanFactory, beanName), "bean '" + beanName + "'");
			}
		}
		methods.forEach(this::read);
		if (!this.problems.isEmpty()) {
			throw new InvalidTaskAggregatorException(this.problems);
		}
		this.found.forEach((place, found) -> this.aggregators.add(place.queue(), place.prefix(), found.aggregator()));
	}

	private Set<String> servedQueues() {
		return this.servers.stream()
			.flatMap((options) -> options.queues().weights().keySet().stream())
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private void read(BeanMethod method, TaskAggregator annotation) {
		String owner = method.toString();
		String queue = resolve("queue", annotation.queue(), owner);
		String prefix = resolve("group", annotation.group(), owner);
		String type = resolve("type", annotation.type(), owner);
		List<String> wrong = MethodTaskAggregator.problems(method, !GoText.isBlank(annotation.type()));
		this.problems.addAll(wrong);
		if (queue != null) {
			requireServed(queue, owner);
		}
		if (wrong.isEmpty() && queue != null && prefix != null && type != null) {
			add(queue, prefix, new MethodTaskAggregator(method, this.converter, type), owner);
		}
	}

	private void add(String queue, String prefix, TaskAggregatorFunction aggregator, String owner) {
		Found first = this.found.putIfAbsent(new Place(queue, prefix), new Found(aggregator, owner));
		TaskAggregatorFunction before = this.aggregators.registered(queue, prefix);
		if (first != null || before != null) {
			this.problems.add("There are two aggregators for " + TaskAggregators.describe(queue, prefix) + ", "
					+ ((first != null) ? first.owner() : before) + " and " + owner
					+ ": keep one of them, or give one of them another queue or prefix with @TaskAggregator");
		}
	}

	private void requireServed(String queue, String owner) {
		Set<String> served = queue.isEmpty() ? Set.of() : servedQueues();
		if (!served.isEmpty() && !served.contains(queue)) {
			this.problems.add("@TaskAggregator method " + owner + ": is for queue '" + queue
					+ "', which this application does not serve, only " + served
					+ ": add the queue to 'asynq.server.queues', correct its name, put the method into a bean that"
					+ " exists only where the queue is served (by a profile or a condition), or leave the queue"
					+ " out or make it a placeholder");
		}
	}

	private @Nullable String resolve(String attribute, String value, String owner) {
		String problem;
		try {
			String resolved = new AttributeResolver(this.beanFactory).resolve(value);
			if (value.isEmpty() || !GoText.isBlank(resolved)) {
				return resolved;
			}
			problem = "is blank; give it a value or leave it out";
		}
		catch (IllegalArgumentException ex) {
			problem = ex.getMessage();
		}
		this.problems.add("@TaskAggregator method " + owner + ": " + attribute + " \"" + value + "\" " + problem);
		return null;
	}

	/**
	 * A bean that may be created at its first call.
	 */
	private record BeanAggregator(BeanFactory beanFactory, String beanName) implements TaskAggregatorFunction {

		@Override
		public @Nullable Task aggregate(String queue, String group, List<Task> tasks) throws Exception {
			return this.beanFactory.getBean(this.beanName, TaskAggregatorFunction.class).aggregate(queue, group, tasks);
		}

		@Override
		public String toString() {
			return "bean '" + this.beanName + "'";
		}

	}

	private record Place(String queue, String prefix) {
	}

	private record Found(TaskAggregatorFunction aggregator, String owner) {
	}

}
