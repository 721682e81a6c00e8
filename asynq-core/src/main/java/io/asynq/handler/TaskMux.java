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
import io.asynq.TaskOptions;
import io.asynq.internal.text.GoText;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;
import org.springframework.util.ConcurrentLruCache;

/**
 * Finds the handler for a task by its type: the one registered for exactly this type,
 * else the one with the longest prefix of it, as Go's {@code ServeMux} does
 * (docs/compatibility.md, H14–H18). Safe for concurrent use; a change applies from the
 * next task on.
 */
public final class TaskMux implements TaskHandlerFunction {

	private volatile Routes routes = new Routes(Map.of(), List.of(), Map.of());

	/**
	 * Registers a handler, by Go's rule: every pattern is a prefix.
	 * @param pattern a type or a prefix of types
	 * @throws IllegalArgumentException if the pattern is blank or already has a handler
	 */
	public TaskMux handle(String pattern, TaskHandlerFunction handler) {
		return handle(prefix(pattern), handler, HandlerSettings.none());
	}

	/**
	 * Registers a handler as {@link #handle(String, TaskHandlerFunction)} does, whose
	 * tasks are limited over all servers.
	 */
	public TaskMux handle(String pattern, TaskHandlerFunction handler, HandlerLimits limits) {
		Assert.notNull(limits, () -> "The limits of the handler for '" + pattern + "' must not be null");
		return handle(prefix(pattern), handler, HandlerSettings.limitedBy(limits));
	}

	/**
	 * Registers a handler by any pattern.
	 * @throws IllegalArgumentException if the pattern already has a handler
	 */
	public synchronized TaskMux handle(TypePattern pattern, TaskHandlerFunction handler, HandlerSettings settings) {
		Assert.notNull(handler, () -> "The handler for '" + pattern + "' must not be null");
		Map<TypePattern, Route> handlers = new LinkedHashMap<>(this.routes.handlers.values());
		if (handlers.putIfAbsent(pattern, new Route(handler, settings)) != null) {
			throw new IllegalArgumentException("There is a task handler for '" + pattern.text() + "' already");
		}
		this.routes = new Routes(handlers, this.routes.interceptors, this.routes.retries.values());
		return this;
	}

	/**
	 * Overrides how failed tasks are retried, whatever their handler says.
	 * @param pattern the types, whether they have a handler or not; an exact one wins,
	 * then the longest prefix
	 * @param settings override those of the handler, one by one
	 */
	public synchronized TaskMux retry(TypePattern pattern, RetrySettings settings) {
		Map<TypePattern, RetrySettings> retries = new LinkedHashMap<>(this.routes.retries.values());
		retries.put(pattern, settings);
		this.routes = new Routes(this.routes.handlers.values(), this.routes.interceptors, retries);
		return this;
	}

	/**
	 * Registers an interceptor, which is called inside those that were registered before,
	 * and also for tasks that have no handler.
	 */
	public synchronized TaskMux use(TaskInterceptor interceptor) {
		List<TaskInterceptor> interceptors = new ArrayList<>(this.routes.interceptors);
		interceptors.add(interceptor);
		this.routes = new Routes(this.routes.handlers.values(), interceptors, this.routes.retries.values());
		return this;
	}

	/**
	 * Returns the type or prefix with which the handler of a type was registered, empty
	 * if there is none.
	 */
	public Optional<String> pattern(String type) {
		return this.routes.handlers.pattern(type).map(TypePattern::text);
	}

	/**
	 * Returns how failed tasks of a type are retried, overridden settings included.
	 */
	public RetrySettings retry(String type) {
		return this.routes.find(type).settings().retry();
	}

	/**
	 * Returns which limits the handler of a type has.
	 */
	public HandlerLimits limits(String type) {
		return this.routes.limits.isEmpty() ? HandlerLimits.none() : this.routes.find(type).settings().limits();
	}

	/**
	 * Returns the limits of all handlers that have some.
	 */
	public Map<TypePattern, HandlerLimits> limits() {
		return this.routes.limits;
	}

	/**
	 * Returns the options that the handler of a type has for tasks that this application
	 * enqueues, which all others override.
	 */
	public TaskOptions defaults(String type) {
		return this.routes.hasDefaults ? this.routes.find(type).settings().defaults() : TaskOptions.none();
	}

	/**
	 * Returns the patterns that have a handler, in the order of registration.
	 */
	public Set<TypePattern> patterns() {
		return Collections.unmodifiableSet(this.routes.handlers.values().keySet());
	}

	/**
	 * Returns a line for each handler, in the order of registration: its pattern and its
	 * {@code toString()}.
	 */
	public List<String> describe() {
		return this.routes.handlers.values()
			.entrySet()
			.stream()
			.map((entry) -> entry.getKey() + ": " + entry.getValue().handler()
					+ (entry.getValue().settings().limits().isEmpty() ? ""
							: ", " + entry.getValue().settings().limits()))
			.toList();
	}

	/**
	 * Returns whether there is no handler.
	 */
	public boolean isEmpty() {
		return this.routes.handlers.values().isEmpty();
	}

	/**
	 * Passes the task through the interceptors to its handler.
	 * @throws HandlerNotFoundException if it has none
	 */
	@Override
	public byte @Nullable [] processTask(Task task, TaskContext context) throws Exception {
		return this.routes.find(task.type()).handler().processTask(task, context);
	}

	private static TypePattern prefix(String pattern) {
		if (GoText.isBlank(pattern)) {
			throw new IllegalArgumentException("The pattern of a task handler must not be blank");
		}
		return TypePattern.prefix(pattern);
	}

	/**
	 * Types come from outside, so its cache is bounded.
	 */
	private static final class Routes {

		private static final int CACHED_TYPES = 1024;

		/** Types have no maximum length: a thousand long ones would fill the memory. */
		private static final int LONGEST_CACHED = 256;

		private static final Route NOT_FOUND = new Route((task, context) -> {
			throw new HandlerNotFoundException(task.type());
		}, HandlerSettings.none());

		private final PatternMap<Route> handlers;

		private final List<TaskInterceptor> interceptors;

		private final PatternMap<RetrySettings> retries;

		private final boolean hasDefaults;

		private final Map<TypePattern, HandlerLimits> limits;

		private final ConcurrentLruCache<String, Route> byType;

		Routes(Map<TypePattern, Route> handlers, List<TaskInterceptor> interceptors,
				Map<TypePattern, RetrySettings> retries) {
			this.handlers = PatternMap.of(handlers);
			this.interceptors = interceptors;
			this.retries = PatternMap.of(retries);
			this.hasDefaults = handlers.values()
				.stream()
				.anyMatch((route) -> !route.settings().defaults().values().isEmpty());
			Map<TypePattern, HandlerLimits> limited = new LinkedHashMap<>();
			handlers.forEach((pattern, route) -> {
				if (!route.settings().limits().isEmpty()) {
					limited.put(pattern, route.settings().limits());
				}
			});
			this.limits = Collections.unmodifiableMap(limited);
			this.byType = new ConcurrentLruCache<>(CACHED_TYPES, this::resolve);
		}

		Route find(String type) {
			return (type.length() <= LONGEST_CACHED) ? this.byType.get(type) : resolve(type);
		}

		private Route resolve(String type) {
			Route route = this.handlers.find(type).orElse(NOT_FOUND);
			HandlerSettings settings = route.settings();
			RetrySettings retry = settings.retry().overriddenBy(this.retries.find(type).orElse(RetrySettings.none()));
			return new Route(intercepted(route.handler()),
					new HandlerSettings(settings.limits(), settings.defaults(), retry));
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

	private record Route(TaskHandlerFunction handler, HandlerSettings settings) {
	}

	/**
	 * The exact type wins, then the longest prefix.
	 */
	private record PatternMap<V>(Map<TypePattern, V> values, List<TypePattern> prefixes) {

		static <V> PatternMap<V> of(Map<TypePattern, V> values) {
			return new PatternMap<>(values,
					values.keySet()
						.stream()
						.filter(TypePattern::prefix)
						.sorted(Comparator.comparing((pattern) -> -pattern.text().length()))
						.toList());
		}

		Optional<TypePattern> pattern(String type) {
			TypePattern exact = new TypePattern(type, false);
			return this.values.containsKey(exact) ? Optional.of(exact)
					: this.prefixes.stream().filter((pattern) -> type.startsWith(pattern.text())).findFirst();
		}

		Optional<V> find(String type) {
			return pattern(type).map(this.values::get);
		}

	}

}
