package io.asynq.handler;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.asynq.Task;
import io.asynq.gotext.GoText;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;
import org.springframework.util.ConcurrentLruCache;

/**
 * Finds the handler for a task by its type: the one registered for exactly this type,
 * else the one with the longest prefix that the type begins with, as Go's
 * {@code ServeMux} does (docs/compatibility.md, H14–H18). Safe for concurrent use; a
 * change applies from the next task on.
 */
public final class TaskMux implements TaskHandlerFunction {

	private volatile Routes routes = new Routes(Map.of(), List.of());

	/**
	 * Registers a handler, by Go's rule: every pattern is a prefix.
	 * @param pattern a type or a prefix of types
	 * @param handler the handler
	 * @return this mux
	 * @throws IllegalArgumentException if the pattern is blank or already has a handler
	 */
	public TaskMux handle(String pattern, TaskHandlerFunction handler) {
		return handle(prefix(pattern), handler, null);
	}

	/**
	 * Registers a handler that processes a limited number of tasks at the same time,
	 * across all servers. A task that gets no token is postponed by 1 to 5 s;
	 * interceptors are not called for it.
	 * @param pattern a type or a prefix of types
	 * @param handler the handler
	 * @param limit has one token for each task that may run at the same time
	 * @return this mux
	 * @throws IllegalArgumentException if the pattern is blank or already has a handler
	 */
	public TaskMux handle(String pattern, TaskHandlerFunction handler, TaskSemaphore limit) {
		Assert.notNull(limit, () -> "The limit of the handler for '" + pattern + "' must not be null");
		return handle(prefix(pattern), handler, limit);
	}

	/**
	 * Registers a handler.
	 * @param pattern which types it processes
	 * @param handler the handler
	 * @param limit has one token for each task that may run at the same time,
	 * {@code null} for no limit
	 * @return this mux
	 * @throws IllegalArgumentException if the pattern already has a handler
	 */
	public synchronized TaskMux handle(TypePattern pattern, TaskHandlerFunction handler,
			@Nullable TaskSemaphore limit) {
		Assert.notNull(handler, () -> "The handler for '" + pattern + "' must not be null");
		Map<TypePattern, Route> handlers = new LinkedHashMap<>(this.routes.handlers);
		if (handlers.putIfAbsent(pattern, new Route(handler, limit)) != null) {
			throw new IllegalArgumentException("There is a task handler for '" + pattern.text() + "' already");
		}
		this.routes = new Routes(handlers, this.routes.interceptors);
		return this;
	}

	/**
	 * Registers an interceptor, which is also called for tasks that have no handler.
	 * @param interceptor the interceptor, called inside those that were registered before
	 * @return this mux
	 */
	public synchronized TaskMux use(TaskInterceptor interceptor) {
		List<TaskInterceptor> interceptors = new ArrayList<>(this.routes.interceptors);
		interceptors.add(interceptor);
		this.routes = new Routes(this.routes.handlers, interceptors);
		return this;
	}

	/**
	 * Returns the pattern of the handler that processes a type.
	 * @param type the type
	 * @return the type or prefix that the handler was registered with, empty if there is
	 * none
	 */
	public Optional<String> pattern(String type) {
		return this.routes.pattern(type).map(TypePattern::text);
	}

	/**
	 * Returns the patterns that have a handler.
	 * @return the patterns, in the order of registration
	 */
	public Set<TypePattern> patterns() {
		return Collections.unmodifiableSet(this.routes.handlers.keySet());
	}

	/**
	 * Describes the handlers.
	 * @return a line for each, in the order of registration: its pattern and its
	 * {@code toString()}
	 */
	public List<String> describe() {
		return this.routes.handlers.entrySet()
			.stream()
			.map((entry) -> entry.getKey() + ": " + entry.getValue().handler()
					+ ((entry.getValue().limit() != null) ? ", " + entry.getValue().limit() : ""))
			.toList();
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
	 * @throws HandlerNotFoundException if it has none
	 */
	@Override
	public byte @Nullable [] processTask(Task task, TaskContext context) throws Exception {
		return this.routes.find(task.type()).processTask(task, context);
	}

	private static TypePattern prefix(String pattern) {
		if (GoText.isBlank(pattern)) {
			throw new IllegalArgumentException("The pattern of a task handler must not be blank");
		}
		return TypePattern.prefix(pattern);
	}

	/**
	 * The handlers and interceptors at one moment. Immutable except for its cache, which
	 * is bounded because types come from outside.
	 */
	private static final class Routes {

		private static final int CACHED_TYPES = 1024;

		/** Types have no maximum length: a thousand long ones would fill the memory. */
		private static final int LONGEST_CACHED = 256;

		private static final Route NOT_FOUND = new Route((task, context) -> {
			throw new HandlerNotFoundException(task.type());
		}, null);

		private final Map<TypePattern, Route> handlers;

		private final List<TaskInterceptor> interceptors;

		private final List<TypePattern> prefixes;

		private final ConcurrentLruCache<String, TaskHandlerFunction> byType;

		Routes(Map<TypePattern, Route> handlers, List<TaskInterceptor> interceptors) {
			this.handlers = handlers;
			this.interceptors = interceptors;
			this.prefixes = handlers.keySet()
				.stream()
				.filter(TypePattern::prefix)
				.sorted(Comparator.comparing((pattern) -> -pattern.text().length()))
				.toList();
			this.byType = new ConcurrentLruCache<>(CACHED_TYPES, this::resolve);
		}

		TaskHandlerFunction find(String type) {
			return (type.length() <= LONGEST_CACHED) ? this.byType.get(type) : resolve(type);
		}

		Optional<TypePattern> pattern(String type) {
			TypePattern exact = new TypePattern(type, false);
			return this.handlers.containsKey(exact) ? Optional.of(exact)
					: this.prefixes.stream().filter((pattern) -> type.startsWith(pattern.text())).findFirst();
		}

		private TaskHandlerFunction resolve(String type) {
			Route route = pattern(type).map(this.handlers::get).orElse(NOT_FOUND);
			TaskHandlerFunction handler = intercepted(route.handler());
			return (route.limit() != null) ? new LimitedHandler(handler, route.limit()) : handler;
		}

		private TaskHandlerFunction intercepted(TaskHandlerFunction innermost) {
			TaskHandlerFunction handler = innermost;
			for (int i = this.interceptors.size() - 1; i >= 0; i--) {
				TaskInterceptor interceptor = this.interceptors.get(i);
				TaskHandlerFunction next = handler;
				handler = (task, context) -> interceptor.intercept(task, context, next);
			}
			return handler;
		}

	}

	private record Route(TaskHandlerFunction handler, @Nullable TaskSemaphore limit) {
	}

}
