package io.asynq.spring.boot.autoconfigure;

import java.util.function.Function;

import io.asynq.TaskOptions;
import io.asynq.handler.TaskMux;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Options that handlers have for the tasks of this application. The client may be created
 * before the handlers, and may be what they need, so there are none until all singletons
 * exist. Safe for concurrent use.
 */
final class HandlerDefaults implements Function<String, TaskOptions>, SmartInitializingSingleton {

	private final ObjectProvider<TaskMux> handlers;

	private volatile Function<String, TaskOptions> defaults = (type) -> TaskOptions.none();

	HandlerDefaults(ObjectProvider<TaskMux> handlers) {
		this.handlers = handlers;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.handlers.ifUnique((mux) -> this.defaults = mux::defaults);
	}

	@Override
	public TaskOptions apply(String type) {
		return this.defaults.apply(type);
	}

}
