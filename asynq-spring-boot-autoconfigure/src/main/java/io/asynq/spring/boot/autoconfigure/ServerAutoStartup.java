package io.asynq.spring.boot.autoconfigure;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

import io.asynq.handler.TaskAggregators;
import io.asynq.handler.TaskMux;
import io.asynq.internal.text.OneLineLogger;
import org.slf4j.Logger;

/**
 * Every component asks, after all handlers and aggregators have been registered.
 */
final class ServerAutoStartup implements BooleanSupplier {

	private static final Logger logger = OneLineLogger.of(ServerAutoStartup.class);

	private final boolean enabled;

	private final TaskMux handlers;

	private final TaskAggregators aggregators;

	private final Runnable advice;

	private final AtomicBoolean told = new AtomicBoolean();

	/**
	 * @param advice called once, before the first start
	 */
	ServerAutoStartup(boolean enabled, TaskMux handlers, TaskAggregators aggregators, Runnable advice) {
		this.enabled = enabled;
		this.handlers = handlers;
		this.aggregators = aggregators;
		this.advice = advice;
	}

	@Override
	public boolean getAsBoolean() {
		if (!this.enabled) {
			return false;
		}
		boolean anything = !this.handlers.isEmpty() || !this.aggregators.isEmpty();
		if (this.told.compareAndSet(false, true)) {
			tell(anything);
		}
		return anything;
	}

	private void tell(boolean anything) {
		if (anything) {
			this.advice.run();
		}
		else {
			logger.info("The asynq server does not start: there is no task handler."
					+ " Annotate a bean's method with @TaskHandler, or set 'asynq.server.enabled' to false.");
		}
	}

}
