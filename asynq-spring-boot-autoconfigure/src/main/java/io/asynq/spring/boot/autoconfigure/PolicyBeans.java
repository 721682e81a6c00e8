package io.asynq.spring.boot.autoconfigure;

import java.util.List;
import java.util.stream.Stream;

import io.asynq.EnqueueInterceptor;
import io.asynq.FailurePredicate;
import io.asynq.RetryDelayPolicy;
import io.asynq.context.ContextPropagators;
import io.asynq.handler.TaskErrorHandler;
import io.asynq.internal.lifecycle.UserCode;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.server.HealthCheckListener;
import io.asynq.server.ServerPolicies;
import io.asynq.server.TaskWaitListener;
import org.slf4j.Logger;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.task.TaskDecorator;
import org.springframework.core.task.support.CompositeTaskDecorator;

/**
 * Listeners can be many, which are called in their order; of several policies of one
 * type, the {@code @Primary} one is used.
 */
final class PolicyBeans {

	private static final Logger logger = OneLineLogger.of(PolicyBeans.class);

	private final BeanFactory beans;

	PolicyBeans(BeanFactory beans) {
		this.beans = beans;
	}

	ServerPolicies collect() {
		ServerPolicies defaults = ServerPolicies.defaults();
		ContextPropagators contexts = this.beans.getBeanProvider(ContextPropagators.class)
			.getIfAvailable(ContextPropagators::none);
		// From the factory, because an injected provider also matches parameter names
		return new ServerPolicies(
				this.beans.getBeanProvider(RetryDelayPolicy.class).getIfAvailable(defaults::retryDelay),
				this.beans.getBeanProvider(FailurePredicate.class).getIfAvailable(defaults::failures),
				errorHandlers(all(TaskErrorHandler.class)), healthListeners(all(HealthCheckListener.class)),
				decorators(all(TaskDecorator.class), defaults.decorator()),
				waitListeners(all(TaskWaitListener.class), defaults.waits()), interceptors(contexts), contexts);
	}

	/** The context comes first, so that others see its headers. */
	List<EnqueueInterceptor> interceptors(ContextPropagators contexts) {
		return Stream.concat(contexts.interceptors().stream(), all(EnqueueInterceptor.class).stream()).toList();
	}

	private <T> List<T> all(Class<T> type) {
		return this.beans.getBeanProvider(type).orderedStream().toList();
	}

	private static TaskErrorHandler errorHandlers(List<TaskErrorHandler> handlers) {
		return (handlers.size() == 1) ? handlers.get(0) : (task, context,
				error) -> handlers.forEach((handler) -> UserCode.run(() -> handler.handleError(task, context, error),
						(shown) -> logger.error("{} failed for task {} ({}) in queue {}", handler.getClass().getName(),
								context.taskId(), task.type(), context.queue(), shown)));
	}

	private static HealthCheckListener healthListeners(List<HealthCheckListener> listeners) {
		return (listeners.size() == 1) ? listeners.get(0)
				: (error) -> listeners.forEach((listener) -> UserCode.run(() -> listener.onHealthCheck(error),
						(shown) -> logger.error("{} failed", listener.getClass().getName(), shown)));
	}

	private static TaskWaitListener waitListeners(List<TaskWaitListener> listeners, TaskWaitListener none) {
		if (listeners.isEmpty()) {
			return none;
		}
		return (listeners.size() == 1) ? listeners.get(0) : (queue, waited) -> listeners
			.forEach((listener) -> UserCode.run(() -> listener.onTaskTaken(queue, waited),
					(shown) -> logger.error("{} failed for queue {}", listener.getClass().getName(), queue, shown)));
	}

	private static TaskDecorator decorators(List<TaskDecorator> decorators, TaskDecorator none) {
		if (decorators.isEmpty()) {
			return none;
		}
		return (decorators.size() == 1) ? decorators.get(0) : new CompositeTaskDecorator(decorators);
	}

}
