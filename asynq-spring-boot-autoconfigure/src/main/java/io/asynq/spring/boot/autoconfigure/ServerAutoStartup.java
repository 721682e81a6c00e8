package io.asynq.spring.boot.autoconfigure;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

import io.asynq.handler.GroupAggregators;
import io.asynq.handler.TaskMux;
import io.asynq.logging.OneLineLogger;
import org.slf4j.Logger;

/**
 * Decides whether the server starts with the application: not when switched off, and not
 * when there is nothing for it to do, neither a handler nor an aggregator. Asked by every
 * component, after all of them have been registered.
 */
final class ServerAutoStartup implements BooleanSupplier {

	private static final Logger logger = OneLineLogger.of(ServerAutoStartup.class);

	private final boolean enabled;

	private final TaskMux handlers;

	private final GroupAggregators aggregators;

	private final Runnable advice;

	private final AtomicBoolean told = new AtomicBoolean();

	/**
	 * Creates the decision.
	 * @param enabled what {@code asynq.server.auto-startup} says
	 * @param handlers the handlers
	 * @param aggregators the aggregators; with them alone the server takes no tasks
	 * @param advice called once, before the server starts for the first time
	 */
	ServerAutoStartup(boolean enabled, TaskMux handlers, GroupAggregators aggregators, Runnable advice) {
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
