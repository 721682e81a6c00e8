package io.asynq.handler;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.asynq.HandlerNotFoundException;
import io.asynq.Names;
import io.asynq.Task;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ConcurrentLruCache;

import org.springframework.util.Assert;

/**
 * Finds the handler for a task by its type: the one registered for exactly this type,
 * else the one with the longest pattern that the type begins with (asynq H14–H18). Safe
 * for concurrent use; changes are seen by the next task.
 */
public final class TaskMux implements AsynqHandler {

	private volatile Routes routes = new Routes(Map.of(), List.of());

	/**
	 * Registers a handler.
	 * @param pattern a type, or what types begin with
	 * @param handler the handler
	 * @return this mux
	 * @throws IllegalArgumentException if the pattern is blank or has a handler
	 */
	public TaskMux handle(String pattern, AsynqHandler handler) {
		return register(pattern, handler, null);
	}

	/**
	 * Registers a handler that works on a bounded number of tasks at the same time, over
	 * all servers. A task that gets no token is postponed by 1 to 5 s; interceptors do
	 * not see it.
	 * @param pattern a type, or what types begin with
	 * @param handler the handler
	 * @param limit has a token for each task that may be worked on
	 * @return this mux
	 * @throws IllegalArgumentException if the pattern is blank or has a handler
	 */
	public TaskMux handle(String pattern, AsynqHandler handler, TaskSemaphore limit) {
		Assert.notNull(limit, () -> "The limit of the handler for '" + pattern + "' must not be null");
		return register(pattern, handler, limit);
	}

	/**
	 * Registers code around every handler, also around the missing one (asynq H15).
	 * @param interceptor called within those registered before
	 * @return this mux
	 */
	public synchronized TaskMux use(TaskInterceptor interceptor) {
		List<TaskInterceptor> interceptors = new ArrayList<>(this.routes.interceptors);
		interceptors.add(interceptor);
		this.routes = new Routes(this.routes.handlers, interceptors);
		return this;
	}

	/**
	 * Returns the pattern whose handler works on a type (asynq H16).
	 * @param type the type
	 * @return the pattern, empty if there is no handler for the type
	 */
	public Optional<String> pattern(String type) {
		return this.routes.pattern(type);
	}

	/**
	 * Returns the patterns that have a handler.
	 * @return patterns in the order of their registration
	 */
	public Set<String> patterns() {
		return Collections.unmodifiableSet(this.routes.handlers.keySet());
	}

	/**
	 * Returns whether there is no handler.
	 * @return {@code true} until the first one is registered
	 */
	public boolean isEmpty() {
		return this.routes.handlers.isEmpty();
	}

	/**
	 * Passes the task through the interceptors to its handler.
	 * @throws HandlerNotFoundException if there is none (asynq H17)
	 */
	@Override
	public byte @Nullable [] processTask(Task task, TaskContext context) throws Exception {
		return this.routes.find(task.type()).processTask(task, context);
	}

	private synchronized TaskMux register(String pattern, AsynqHandler handler, @Nullable TaskSemaphore limit) {
		if (Names.isBlank(pattern)) {
			throw new IllegalArgumentException("The pattern of a task handler must not be blank");
		}
		Assert.notNull(handler, () -> "The handler for '" + pattern + "' must not be null");
		Map<String, Route> handlers = new LinkedHashMap<>(this.routes.handlers);
		if (handlers.putIfAbsent(pattern, new Route(handler, limit)) != null) {
			throw new IllegalArgumentException("There is a task handler for '" + pattern + "' already");
		}
		this.routes = new Routes(handlers, this.routes.interceptors);
		return this;
	}

	/**
	 * Handlers and interceptors at one moment; immutable but for its cache, which is
	 * bounded because types may come from anywhere.
	 */
	private static final class Routes {

		private static final int CACHED_TYPES = 1024;

		/** Names have no limit: a thousand long ones would fill the memory. */
		private static final int LONGEST_CACHED = 256;

		private static final Route NOT_FOUND = new Route((task, context) -> {
			throw new HandlerNotFoundException(task.type());
		}, null);

		private final Map<String, Route> handlers;

		private final List<TaskInterceptor> interceptors;

		private final List<String> longestFirst;

		private final ConcurrentLruCache<String, AsynqHandler> byType;

		Routes(Map<String, Route> handlers, List<TaskInterceptor> interceptors) {
			this.handlers = handlers;
			this.interceptors = interceptors;
			this.longestFirst = handlers.keySet()
				.stream()
				.sorted(Comparator.comparingInt(String::length).reversed())
				.toList();
			this.byType = new ConcurrentLruCache<>(CACHED_TYPES, this::resolve);
		}

		AsynqHandler find(String type) {
			return (type.length() <= LONGEST_CACHED) ? this.byType.get(type) : resolve(type);
		}

		Optional<String> pattern(String type) {
			return this.longestFirst.stream().filter(type::startsWith).findFirst();
		}

		private AsynqHandler resolve(String type) {
			Route route = pattern(type).map(this.handlers::get).orElse(NOT_FOUND);
			AsynqHandler handler = intercepted(route.handler());
			return (route.limit() != null) ? new LimitedHandler(handler, route.limit()) : handler;
		}

		private AsynqHandler intercepted(AsynqHandler innermost) {
			AsynqHandler handler = innermost;
			for (int i = this.interceptors.size() - 1; i >= 0; i--) {
				TaskInterceptor interceptor = this.interceptors.get(i);
				AsynqHandler next = handler;
				handler = (task, context) -> interceptor.intercept(task, context, next);
			}
			return handler;
		}

	}

	private record Route(AsynqHandler handler, @Nullable TaskSemaphore limit) {
	}

}
