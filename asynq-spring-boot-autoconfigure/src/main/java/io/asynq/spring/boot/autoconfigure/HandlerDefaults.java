package io.asynq.spring.boot.autoconfigure;

import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

import io.asynq.ClientOptions;
import io.asynq.TaskOptions;
import io.asynq.handler.TaskMux;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * The client may be created before the handlers, so there are no options until all
 * singletons exist; handlers of a child context count, because it has its parent's
 * client.
 */
final class HandlerDefaults implements Function<String, TaskOptions>, SmartInitializingSingleton {

	private final ObjectProvider<TaskMux> handlers;

	private final @Nullable HandlerDefaults parent;

	private final CopyOnWriteArrayList<TaskMux> present = new CopyOnWriteArrayList<>();

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

	/**
	 * Clients of the application get handlers' options as well, since it could not know
	 * that it has to set them; options that are set already stay.
	 */
	static final class OfClients implements BeanPostProcessor {

		private final ObjectProvider<HandlerDefaults> handlers;

		OfClients(ObjectProvider<HandlerDefaults> handlers) {
			this.handlers = handlers;
		}

		@Override
		public Object postProcessAfterInitialization(Object bean, String beanName) {
			if (!(bean instanceof ClientOptions options)) {
				return bean;
			}
			HandlerDefaults present = this.handlers.getIfAvailable();
			return (present != null) ? options.withHandlerDefaults(present) : options;
		}

	}

}
