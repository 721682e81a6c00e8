package io.asynq.spring.boot.autoconfigure;

import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

import io.asynq.TaskOptions;
import io.asynq.handler.TaskMux;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Options that handlers have for the tasks of this application. The client may be created
 * before the handlers, and may be what they need, so there are none until all singletons
 * exist. Handlers of a child context count as well, because it has the client of its
 * parent. Safe for concurrent use.
 */
final class HandlerDefaults implements Function<String, TaskOptions>, SmartInitializingSingleton {

	private final ObjectProvider<TaskMux> handlers;

	private final @Nullable HandlerDefaults parent;

	private final CopyOnWriteArrayList<TaskMux> present = new CopyOnWriteArrayList<>();

	/**
	 * @param parent those of the parent context, which has the client
	 */
	HandlerDefaults(ObjectProvider<TaskMux> handlers, @Nullable HandlerDefaults parent) {
		this.handlers = handlers;
		this.parent = parent;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.handlers.ifUnique(this::add);
	}

	@Override
	public TaskOptions apply(String type) {
		TaskOptions defaults = TaskOptions.none();
		for (TaskMux each : this.present) {
			defaults = each.defaults(type).overriddenBy(defaults);
		}
		return defaults;
	}

	private void add(TaskMux mux) {
		this.present.addIfAbsent(mux);
		if (this.parent != null) {
			this.parent.add(mux);
		}
	}

}
