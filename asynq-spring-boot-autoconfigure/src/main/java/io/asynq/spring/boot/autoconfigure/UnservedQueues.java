package io.asynq.spring.boot.autoconfigure;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import io.asynq.ClientOptions;
import io.asynq.TaskDefaults;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import io.asynq.handler.TaskMux;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.QueueInfo;
import io.asynq.inspect.ServerInfo;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.schedule.AsynqScheduler;
import io.asynq.server.AsynqServer;
import io.asynq.server.ServerOptions;
import io.asynq.server.ServerState;
import org.slf4j.Logger;
import org.springframework.beans.factory.BeanDefinitionStoreException;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;

/**
 * Settings, periodic tasks and payload classes do not show whether tasks are enqueued
 * without a queue, so the default queue counts only if tasks wait in it.
 */
final class UnservedQueues implements Runnable {

	private static final Logger logger = OneLineLogger.of(UnservedQueues.class);

	private static final Set<TaskState> WAITING = EnumSet.of(TaskState.PENDING, TaskState.SCHEDULED, TaskState.RETRY,
			TaskState.AGGREGATING);

	private final ApplicationContext beans;

	UnservedQueues(ApplicationContext beans) {
		this.beans = beans;
	}

	@Override
	public void run() {
		try {
			AsynqInspector inspector = this.beans.getBean(AsynqInspector.class);
			Map<String, Set<String>> written = written();
			if (hasWaitingTasks(inspector, TaskOptions.DEFAULT_QUEUE)) {
				put(written, TaskOptions.DEFAULT_QUEUE, "tasks without a queue");
			}
			written.keySet().removeAll(servedHere());
			if (!written.isEmpty()) {
				for (ServerInfo server : inspector.servers()) {
					written.keySet().removeAll(server.queues().keySet());
				}
			}
			written.forEach(UnservedQueues::warn);
		}
		catch (RuntimeException ex) {
			logger.debug("Could not check whether all queues are served", ex);
		}
	}

	private static boolean hasWaitingTasks(AsynqInspector inspector, String queue) {
		if (!inspector.queues().contains(queue)) {
			return false;
		}
		QueueInfo info = inspector.queueInfo(queue);
		return WAITING.stream().anyMatch((state) -> info.size(state) > 0);
	}

	private Map<String, Set<String>> written() {
		Map<String, Set<String>> written = new TreeMap<>();
		this.beans.getBeanProvider(ClientOptions.class).forEach((options) -> options.defaults().forEach((type, own) -> {
			if (own.queue() != null) {
				put(written, own.queue(), "tasks of type '" + type + "'");
			}
		}));
		payloads().forEach((payload, defaults) -> {
			if (!isOverridden(defaults)) {
				put(written, defaults.queue(), "payloads of " + payload + " by its @TaskDefaults");
			}
		});
		this.beans.getBeanProvider(AsynqScheduler.class)
			.forEach((scheduler) -> scheduler.entries()
				.forEach((entry) -> put(written, entry.queue(), "periodic task '" + entry.id() + "'")));
		return written;
	}

	/**
	 * Those that name a queue, by class; they are no beans, so the class path is
	 * searched, which a native image does not have.
	 */
	private Map<String, TaskDefaults> payloads() {
		ClassPathScanningCandidateComponentProvider search = new ClassPathScanningCandidateComponentProvider(false);
		// With the context's own loader everything that is read would stay in its caches
		search.setResourceLoader(new PathMatchingResourcePatternResolver(this.beans.getClassLoader()));
		search.addIncludeFilter(new AnnotationTypeFilter(TaskDefaults.class, true, true));
		Map<String, TaskDefaults> found = new LinkedHashMap<>();
		for (String searched : packages()) {
			try {
				search.findCandidateComponents(searched)
					.forEach((candidate) -> add(found, String.valueOf(candidate.getBeanClassName())));
			}
			catch (BeanDefinitionStoreException ex) {
				logger.debug("Package {} cannot be searched for payloads", searched, ex);
			}
		}
		return found;
	}

	private List<String> packages() {
		return AutoConfigurationPackages.has(this.beans) ? AutoConfigurationPackages.get(this.beans) : List.of();
	}

	private void add(Map<String, TaskDefaults> found, String name) {
		try {
			TaskDefaults defaults = AnnotatedElementUtils.findMergedAnnotation(
					ClassUtils.resolveClassName(name, this.beans.getClassLoader()), TaskDefaults.class);
			if (defaults != null && !defaults.queue().isEmpty()) {
				found.put(name, defaults);
			}
		}
		catch (IllegalArgumentException | IllegalStateException ex) {
			// Its classes may be optional, so that nothing ever enqueues it
			logger.debug("Class {} cannot be loaded", name, ex);
		}
	}

	private boolean isOverridden(TaskDefaults defaults) {
		return this.beans.getBeanProvider(ClientOptions.class)
			.stream()
			.anyMatch((options) -> options.defaults(defaults.type()).queue() != null);
	}

	/** The entry of this server may not be in Redis yet. */
	private Set<String> servedHere() {
		Set<String> queues = new TreeSet<>();
		boolean works = this.beans.getBeanProvider(AsynqServer.class)
			.stream()
			.anyMatch((server) -> server.state() == ServerState.ACTIVE);
		if (works && this.beans.getBeanProvider(TaskMux.class).stream().anyMatch((handlers) -> !handlers.isEmpty())) {
			this.beans.getBeanProvider(ServerOptions.class)
				.forEach((options) -> queues.addAll(options.queues().weights().keySet()));
		}
		return queues;
	}

	private static void put(Map<String, Set<String>> written, String queue, String what) {
		written.computeIfAbsent(queue, (name) -> new TreeSet<>()).add(what);
	}

	private static void warn(String queue, Set<String> what) {
		logger.warn(
				"No live server serves queue {}, to which this application writes {}: add the queue to"
						+ " 'asynq.server.queues' of this or another application, or correct its name",
				queue, String.join(", ", what));
	}

}
