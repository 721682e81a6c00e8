package io.asynq.annotation;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.asynq.Names;
import io.asynq.PayloadConverter;
import io.asynq.Task;
import io.asynq.handler.GroupAggregator;
import io.asynq.handler.GroupAggregators;
import io.asynq.server.ServerOptions;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.Assert;

/**
 * Finds all methods with {@link TaskAggregator} and all beans of type
 * {@link GroupAggregator} and registers them with {@link GroupAggregators}, once all
 * singletons exist. Creates no bean. Tells all mistakes at once by an
 * {@link InvalidTaskAggregatorException}.
 */
public final class TaskAggregatorRegistrar implements SmartInitializingSingleton, BeanFactoryAware {

	private final GroupAggregators aggregators;

	private final PayloadConverter converter;

	private final ObjectProvider<ServerOptions> servers;

	private @Nullable ConfigurableListableBeanFactory beanFactory;

	/**
	 * Creates the registrar.
	 * @param aggregators gets what is found
	 * @param converter turns payloads into arguments and what is returned into a payload
	 * @param servers the servers of the application: if there are any, a method's queue
	 * must be served by one of them
	 */
	public TaskAggregatorRegistrar(GroupAggregators aggregators, PayloadConverter converter,
			ObjectProvider<ServerOptions> servers) {
		this.aggregators = aggregators;
		this.converter = converter;
		this.servers = servers;
	}

	@Override
	public void setBeanFactory(BeanFactory beanFactory) {
		this.beanFactory = (ConfigurableListableBeanFactory) beanFactory;
	}

	@Override
	public void afterSingletonsInstantiated() {
		ConfigurableListableBeanFactory factory = this.beanFactory;
		Assert.state(factory != null, "setBeanFactory must be called before");
		Scan scan = new Scan(factory, this.converter, this.aggregators, servedQueues(), new ArrayList<>(),
				new LinkedHashMap<>());
		for (String beanName : factory.getBeanNamesForType(GroupAggregator.class)) {
			if (!ScopedProxyUtils.isScopedTarget(beanName)) {
				scan.add("", "", new BeanAggregator(factory, beanName), "bean '" + beanName + "'");
			}
		}
		new BeanMethods<>(factory, TaskAggregator.class,
				(method) -> AnnotatedElementUtils.findMergedAnnotation(method, TaskAggregator.class))
			.forEach(scan::method);
		if (!scan.problems.isEmpty()) {
			throw new InvalidTaskAggregatorException(scan.problems);
		}
		scan.found.forEach((place, found) -> this.aggregators.add(place.queue(), place.prefix(), found.aggregator()));
	}

	private Set<String> servedQueues() {
		return this.servers.stream()
			.flatMap((options) -> options.queues().weights().keySet().stream())
			.collect(Collectors.toCollection(TreeSet::new));
	}

	/**
	 * A bean that may be created when it is first asked.
	 */
	private record BeanAggregator(BeanFactory beanFactory, String beanName) implements GroupAggregator {

		@Override
		public @Nullable Task aggregate(String queue, String group, List<Task> tasks) throws Exception {
			return this.beanFactory.getBean(this.beanName, GroupAggregator.class).aggregate(queue, group, tasks);
		}

		@Override
		public String toString() {
			return "bean '" + this.beanName + "'";
		}

	}

	private record Place(String queue, String prefix) {
	}

	private record Found(GroupAggregator aggregator, String owner) {
	}

	/**
	 * One look at all beans.
	 *
	 * @param beanFactory knows the beans
	 * @param converter for the methods
	 * @param registered what is there already
	 * @param served queues that are served, none if there is no server
	 * @param problems what is wrong
	 * @param found what was found
	 */
	private record Scan(ConfigurableListableBeanFactory beanFactory, PayloadConverter converter,
			GroupAggregators registered, Set<String> served, List<String> problems, Map<Place, Found> found) {

		void method(String beanName, Class<?> targetClass, Method method, TaskAggregator annotation) {
			String owner = HandlerSignature.describe(method) + " of bean '" + beanName + "'";
			String queue = resolve("queue", annotation.queue(), owner);
			String prefix = resolve("group", annotation.group(), owner);
			String type = resolve("type", annotation.type(), owner);
			AggregatorSignature signature = new AggregatorSignature(method, targetClass);
			List<String> wrong = signature.problems(!Names.isBlank(annotation.type()));
			this.problems.addAll(wrong);
			try {
				Class<?> exposed = this.beanFactory.getType(beanName);
				AopUtils.selectInvocableMethod(method, (exposed != null) ? exposed : targetClass);
			}
			catch (IllegalStateException ex) {
				this.problems.add("@TaskAggregator method " + owner + ": " + ex.getMessage());
			}
			if (queue != null) {
				requireServed(queue, owner);
			}
			if (wrong.isEmpty() && queue != null && prefix != null && type != null) {
				add(queue, prefix, new MethodGroupAggregator(new TaskHandlerMethod(this.beanFactory, beanName, method),
						this.converter, signature.element(), type), owner);
			}
		}

		void add(String queue, String prefix, GroupAggregator aggregator, String owner) {
			Found first = this.found.putIfAbsent(new Place(queue, prefix), new Found(aggregator, owner));
			GroupAggregator before = this.registered.registered(queue, prefix);
			if (first != null || before != null) {
				this.problems.add("For " + GroupAggregators.describe(queue, prefix) + " there are two aggregators, "
						+ ((first != null) ? first.owner() : before) + " and " + owner
						+ ": keep one of them, or give one another queue or prefix by @TaskAggregator");
			}
		}

		private void requireServed(String queue, String owner) {
			if (!queue.isEmpty() && !this.served.isEmpty() && !this.served.contains(queue)) {
				this.problems.add("@TaskAggregator method " + owner + ": is for queue '" + queue
						+ "', which this application does not serve, only " + this.served
						+ ": add the queue to 'asynq.server.queues', correct its name, put the method into a bean that"
						+ " exists only where the queue is served (by a profile or a condition), or leave the queue"
						+ " out or make it a placeholder");
			}
		}

		private @Nullable String resolve(String attribute, String value, String owner) {
			String problem;
			try {
				String resolved = new AttributeResolver(this.beanFactory).resolve(value);
				if (value.isEmpty() || !Names.isBlank(resolved)) {
					return resolved;
				}
				problem = "is blank; leave it out, or name something";
			}
			catch (IllegalArgumentException ex) {
				problem = ex.getMessage();
			}
			this.problems.add("@TaskAggregator method " + owner + ": " + attribute + " \"" + value + "\" " + problem);
			return null;
		}

	}

}
