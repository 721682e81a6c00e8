package io.asynq.server;

import java.util.List;

import io.asynq.EnqueueInterceptor;
import io.asynq.FailurePredicate;
import io.asynq.RetryDelayPolicy;
import io.asynq.context.ContextPropagators;
import io.asynq.handler.TaskErrorHandler;
import org.springframework.core.task.TaskDecorator;

/**
 * The user's callbacks in a server.
 *
 * @param retryDelay how long a failed task waits
 * @param failures which errors count as failures
 * @param errors called after failed attempts
 * @param health called after health checks
 * @param decorator wraps each attempt and is called in its worker thread, for
 * thread-bound state; an attempt that it does not run has failed
 * @param waits told how long tasks have waited
 * @param interceptors see the tasks that aggregators return before they are stored
 * @param contexts give handlers the context in which their tasks were enqueued
 */
public record ServerPolicies(RetryDelayPolicy retryDelay, FailurePredicate failures, TaskErrorHandler errors,
		HealthCheckListener health, TaskDecorator decorator, TaskWaitListener waits,
		List<EnqueueInterceptor> interceptors, ContextPropagators contexts) {

	private static final TaskWaitListener NOBODY = (queue, waited) -> {
	};

	/** Creates policies without interceptors and propagators. */
	public ServerPolicies(RetryDelayPolicy retryDelay, FailurePredicate failures, TaskErrorHandler errors,
			HealthCheckListener health, TaskDecorator decorator) {
		this(retryDelay, failures, errors, health, decorator, NOBODY, List.of(), ContextPropagators.none());
	}

	/** Returns asynq's defaults. */
	public static ServerPolicies defaults() {
		return new ServerPolicies(RetryDelayPolicy.exponential(), FailurePredicate.always(), (task, context, error) -> {
		}, (error) -> {
		}, (attempt) -> attempt);
	}

}
